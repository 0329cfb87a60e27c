//! In which file a module stands. Owns the rules of the language on it, `#[path]` included; knows not what is in a file.

/// Where the code of one module stands, and where the files of those that it declares are looked for.
pub(super) struct Folder {
    pub(super) file: String,
    /// Where `mod x;` is looked for.
    below: String,
    /// What `#[path]` begins at.
    base: String,
}

impl Folder {
    pub(super) fn of_root(file: &str) -> Folder {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        Folder { file: file.to_owned(), below: folder.to_owned(), base: folder.to_owned() }
    }

    /// The place of a module with braces in this one.
    pub(super) fn inline(&self, module: &syn::ItemMod) -> Folder {
        let folder = match told_path(&module.attrs) {
            Some(path) => join(&self.base, &path),
            None => join(&self.below, &module.ident.to_string()),
        };
        Folder { file: self.file.clone(), below: folder.clone(), base: folder }
    }

    /// The files in which a module without braces in this one may stand.
    pub(super) fn files(&self, module: &syn::ItemMod) -> Vec<Folder> {
        // A file that `#[path]` names declares its modules as a root or a `mod.rs` does.
        if let Some(path) = told_path(&module.attrs) {
            return vec![Folder::of_root(&join(&self.base, &path))];
        }
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        let beside = Folder {
            file: join(&self.below, &format!("{name}.rs")),
            below: join(&self.below, name),
            base: self.below.clone(),
        };
        vec![beside, Folder::of_root(&join(&self.below, &format!("{name}/mod.rs")))]
    }
}

/// The path in `#[path = ".."]`.
fn told_path(attributes: &[syn::Attribute]) -> Option<String> {
    let values = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => Some(&pair.value),
        _ => None,
    });
    values.into_iter().find_map(|value| match value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
        _ => None,
    })
}

/// `path` from `folder`, without `.` and `..`.
fn join(folder: &str, path: &str) -> String {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop(),
            name => names.push(name),
        }
    }
    names.join("/")
}
