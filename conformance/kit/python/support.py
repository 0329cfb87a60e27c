"""How the protocol writes names, values and buffers as JSON. Nothing to fill in here.

Owns forms alone; knows neither the conversation nor any library.
"""

import hashlib


def text(data):
    """Bytes that are meant as text: a name, a key, a string."""
    try:
        return {"utf8": data.decode()}
    except UnicodeDecodeError:
        return {"hex": data.hex()}


def name_of(arguments):
    """The name that a step asks for, as bytes."""
    name = arguments["name"]
    return name["utf8"].encode() if "utf8" in name else bytes.fromhex(name["hex"])


def kv_value(kind, value):
    """A value of the key-value section; `kind` is its type, an array is ("array", (item kind, items))."""
    if kind == "array":
        item_kind, items = value
        return {"array": {"type": item_kind, "items": [kv_value(item_kind, item) for item in items]}}
    forms = {"string": text, "bytes": bytes.hex, "bool": bool, "float64": lambda bits: f"{bits:016x}"}
    return {kind: forms.get(kind, str)(value)}


def buffer(data):
    """What is shown of the bytes of a buffer."""
    return {"len": str(len(data)), "sha256": hashlib.sha256(data).hexdigest()}
