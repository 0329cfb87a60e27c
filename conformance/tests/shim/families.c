/* Makes one call of libc on one file, by name, as a program would; says what came of it. Compiled by the test beside it.
 * It must not know that anybody watches.
 *
 *   families CALL FILE    prints `data TEXT` for what it read, `ok`, or `errno NUMBER`
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define LEN 16
#define IS(NAME) (strcmp(call, NAME) == 0)

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off_t, size_t);
int __open_2(const char *, int);
int __open64_2(const char *, int);
int __openat_2(int, const char *, int);
int __openat64_2(int, const char *, int);

static const char *call;
static const char *path;

static void fail(void) {
    printf("errno %d\n", errno);
    exit(0);
}

/* One read of at most `len` bytes at `at`; calls with a position of their own ignore `at`. */
static ssize_t read_by(int fd, char *to, size_t len, off_t at) {
    size_t half = len > 1 ? len / 2 : len;
    struct iovec parts[2] = {{to, half}, {to + half, len - half}};
    if (IS("read")) return read(fd, to, len);
    if (IS("__read_chk")) return __read_chk(fd, to, len, len);
    if (IS("pread")) return pread(fd, to, len, at);
    if (IS("pread64")) return pread64(fd, to, len, at);
    if (IS("__pread_chk")) return __pread_chk(fd, to, len, at, len);
    if (IS("__pread64_chk")) return __pread64_chk(fd, to, len, at, len);
    if (IS("readv")) return readv(fd, parts, 2);
    if (IS("preadv")) return preadv(fd, parts, 2, at);
    if (IS("preadv64")) return preadv64(fd, parts, 2, at);
    if (IS("preadv2")) return preadv2(fd, parts, 2, -1, 0);
    if (IS("preadv64v2")) return preadv64v2(fd, parts, 2, at, 0);
    errno = ENOSYS;
    return -1;
}

static ssize_t write_by(int fd, const char *from, size_t len, off_t at) {
    size_t half = len > 1 ? len / 2 : len;
    struct iovec parts[2] = {{(char *)from, half}, {(char *)from + half, len - half}};
    if (IS("write")) return write(fd, from, len);
    if (IS("pwrite")) return pwrite(fd, from, len, at);
    if (IS("pwrite64")) return pwrite64(fd, from, len, at);
    if (IS("writev")) return writev(fd, parts, 2);
    if (IS("pwritev")) return pwritev(fd, parts, 2, at);
    if (IS("pwritev64")) return pwritev64(fd, parts, 2, at);
    if (IS("pwritev2")) return pwritev2(fd, parts, 2, -1, 0);
    if (IS("pwritev64v2")) return pwritev64v2(fd, parts, 2, at, 0);
    errno = ENOSYS;
    return -1;
}

/* Reads to the end, going on after an interruption as a program has to. */
static void read_all(int fd) {
    char data[LEN + 1] = {0};
    size_t done = 0;
    while (done < LEN) {
        ssize_t got = read_by(fd, data + done, LEN - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail();
        if (got == 0) break;
        done += (size_t)got;
    }
    printf("data %s\n", data);
}

static void write_all(int fd) {
    const char *data = "fedcba9876543210";
    size_t done = 0;
    while (done < LEN) {
        ssize_t put = write_by(fd, data + done, LEN - done, (off_t)done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail();
        if (put == 0) break;
        done += (size_t)put;
    }
    printf("ok\n");
}

static void stream(void) {
    int writes = IS("fwrite") || IS("fwrite64");
    FILE *file;
    char data[LEN + 1] = {0};
    if (IS("fdopen")) file = fdopen(open(path, O_RDONLY), "r");
    else if (IS("fread64") || IS("fwrite64")) file = fopen64(path, writes ? "wb" : "rb");
    else file = fopen(path, writes ? "wb" : "rb");
    if (!file) fail();
    if (IS("fileno")) {
        struct stat found;
        if (fstat(fileno(file), &found) != 0) fail();
        printf("size %ld\n", (long)found.st_size);
        return;
    }
    if (writes) {
        if (fwrite("fedcba9876543210", 1, LEN, file) != LEN || fflush(file) != 0) fail();
    } else {
        if (IS("fseek") && (fseek(file, 10, SEEK_SET) != 0 || ftell(file) != 10)) fail();
        size_t got = fread(data, 1, LEN, file);
        if (got == 0 && ferror(file)) fail();
        printf("data %s\n", data);
    }
    if (fclose(file) != 0) fail();
    if (writes) printf("ok\n");
}

static int open_by(void) {
    if (IS("open")) return open(path, O_RDONLY);
    if (IS("open64")) return open64(path, O_RDONLY);
    if (IS("openat")) return openat(AT_FDCWD, path, O_RDONLY);
    if (IS("openat64")) return openat64(AT_FDCWD, path, O_RDONLY);
    if (IS("__open_2")) return __open_2(path, O_RDONLY);
    if (IS("__open64_2")) return __open64_2(path, O_RDONLY);
    if (IS("__openat_2")) return __openat_2(AT_FDCWD, path, O_RDONLY);
    if (IS("__openat64_2")) return __openat64_2(AT_FDCWD, path, O_RDONLY);
    if (IS("creat")) return creat(path, 0600);
    if (IS("creat64")) return creat64(path, 0600);
    return -2;
}

/* A call that moves no bytes to or from this program; 0 or more is good, -2 is no call of ours. */
static long other(int fd) {
    struct stat found;
    struct stat64 found64;
    struct statx foundx;
    if (IS("lseek")) return lseek(fd, 3, SEEK_SET);
    if (IS("lseek64")) return lseek64(fd, 3, SEEK_SET);
    if (IS("ftruncate")) return ftruncate(fd, 3);
    if (IS("ftruncate64")) return ftruncate64(fd, 3);
    if (IS("truncate")) return truncate(path, 3);
    if (IS("truncate64")) return truncate64(path, 3);
    if (IS("fallocate")) return fallocate(fd, 0, 0, 3);
    if (IS("posix_fallocate")) { errno = posix_fallocate(fd, 0, 3); return errno == 0 ? 0 : -1; }
    if (IS("fsync")) return fsync(fd);
    if (IS("fdatasync")) return fdatasync(fd);
    if (IS("dup")) return dup(fd);
    if (IS("dup2")) return dup2(fd, 99);
    if (IS("dup3")) return dup3(fd, 99, O_CLOEXEC);
    if (IS("close")) return close(fd);
    if (IS("mmap")) return mmap(NULL, LEN, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0;
    if (IS("mmap64")) return mmap64(NULL, LEN, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0;
    if (IS("stat")) return stat(path, &found);
    if (IS("stat64")) return stat64(path, &found64);
    if (IS("lstat")) return lstat(path, &found);
    if (IS("lstat64")) return lstat64(path, &found64);
    if (IS("fstat")) return fstat(fd, &found);
    if (IS("fstat64")) return fstat64(fd, &found64);
    if (IS("fstatat")) return fstatat(AT_FDCWD, path, &found, 0);
    if (IS("fstatat64")) return fstatat64(AT_FDCWD, path, &found64, 0);
    if (IS("statx")) return statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &foundx);
    if (IS("sendfile")) return sendfile(fd, open("/dev/zero", O_RDONLY), NULL, 3);
    if (IS("copy_file_range")) return copy_file_range(fd, NULL, memfd_create("copy", 0), NULL, 3, 0);
    if (IS("splice")) { int ends[2]; if (pipe(ends) != 0) fail(); return splice(fd, NULL, ends[1], NULL, 3, 0); }
    return -2;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    call = words[1];
    path = words[2];
    int writes = strstr(call, "write") != NULL;
    if (IS("fread") || IS("fread64") || IS("fwrite") || IS("fwrite64") || IS("fdopen") || IS("fseek") || IS("fileno")) {
        stream();
        return 0;
    }
    int opened = open_by();
    if (opened != -2) {
        if (opened < 0) fail();
        printf("ok\n");
        return 0;
    }
    int fd = open(path, writes ? O_WRONLY | O_CREAT | O_TRUNC : O_RDWR, 0600);
    if (fd < 0) return 3;
    if (writes) {
        write_all(fd);
        return 0;
    }
    if (strstr(call, "read") != NULL) {
        read_all(fd);
        return 0;
    }
    errno = 0;
    long returned = other(fd);
    if (returned == -2) return 2;
    if (returned < 0) fail();
    /* A call that goes well leaves errno alone. */
    if (errno != 0) printf("odd errno %d\n", errno);
    else printf("ok\n");
    return 0;
}
