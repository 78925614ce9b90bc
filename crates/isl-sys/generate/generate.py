#!/usr/bin/env python3
"""Generate the isl bindings from isl's own headers.

Run by hand, from anywhere, on a machine which has gcc, nm, rustfmt and the isl
headers (Debian/Ubuntu: libisl-dev); the results are committed, so that users
of the crates need no headers:

    python3 crates/isl-sys/generate/generate.py [--include /usr/include]
        [--library /usr/lib/x86_64-linux-gnu/libisl.so] [--verbose]

What it does:

1. runs `gcc -E` over all of `isl/*.h`, with isl's ownership annotations
   (`__isl_take`, `__isl_give`, `__isl_keep`, `__isl_null`) kept in the text;
2. parses the declarations (isl's headers are regular enough for a few regular
   expressions), drops those that the library does not export, and those that
   concern streams, tokens, command-line arguments and FILE;
3. writes `crates/isl-sys/src/bindings.rs`: opaque types, enum constants,
   numeric `ISL_*` constants and the externs;
4. writes `crates/isl/src/generated/*.rs`: one file per isl type with its safe
   methods, plus `enums.rs` (safe enums), `options.rs` (options as methods of
   `Ctx`) and `mod.rs`.

The rules which turn a C signature into a safe method are in `Method`, below;
what they cannot express is skipped (`--verbose` lists it) and, where wanted,
written by hand in `crates/isl/src`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SYS = os.path.normpath(os.path.join(HERE, "..", "src"))
SAFE = os.path.normpath(os.path.join(HERE, "..", "..", "isl", "src", "generated"))

# Headers which are not for C programs, or are templates.
HEADERS_LEFT_OUT = {"cpp.h", "typed_cpp.h", "val_gmp.h", "maybe_templ.h"}

# Functions for isl's own innards: never bound.
NEVER = re.compile(
    r"isl_(args?|obj|stream|token|hash|malloc|calloc|realloc|handle_error|bool|stat"
    r"|ctx_alloc_with|ctx_peek|ctx_parse|ctx_options|options_(new|parse|free|args)|lp_)"
)

# Types that get no safe wrapper: they make no sense without raw pointers, or
# have no copy function (isl_flow & co. are isl's older, per-map interface to
# dataflow; the union interface is the one to use).
UNWRAPPED = {
    "ctx", "printer", "stream", "token", "options", "obj", "arg", "args",
    "access_info", "flow", "restriction", "ast_print_options",
}

# Functions that are not wrapped: written by hand, or unsound as they are
# (anything which stores a user pointer).
BY_HAND = re.compile(
    r"isl_(id_(alloc|get_user|get_free_user|set_free_user)"
    r"|ast_build_set_(at_each_domain|before_each_for|after_each_for"
    r"|before_each_mark|after_each_mark|create_leaf)"
    r"|(\w+_)?(copy|free|get_ctx|dump|to_str|cow)$"
    r"|ctx_|union_map_compute_flow$|options_set_on_error|options_get_on_error)"
)

# Functions without a type prefix, or with a misleading one.
RECEIVER = {
    "isl_equality_alloc": ("constraint", "equality_alloc"),
    "isl_inequality_alloc": ("constraint", "inequality_alloc"),
    "isl_equality_from_aff": ("constraint", "equality_from_aff"),
    "isl_inequality_from_aff": ("constraint", "inequality_from_aff"),
    "isl_val_2exp": ("val", "two_exp"),
}

# Functions that return NULL, without an error, where there is nothing to return.
NULLABLE = {"isl_ast_node_get_annotation"}

# A type which Rust's prelude has too.
RENAMED = {"vec": "IslVec"}

ENUMS = {
    # C name: (Rust name, constant prefix to remove)
    "isl_dim_type": ("DimType", "isl_dim_"),
    "isl_ast_expr_op_type": ("AstExprOpType", "isl_ast_expr_op_"),
    "isl_ast_expr_type": ("AstExprType", "isl_ast_expr_"),
    "isl_ast_node_type": ("AstNodeType", "isl_ast_node_"),
    "isl_ast_loop_type": ("AstLoopType", "isl_ast_loop_"),
    "isl_schedule_node_type": ("ScheduleNodeType", "isl_schedule_node_"),
    "isl_fold": ("Fold", "isl_fold_"),
}

# `int` parameters with these names are positions or counts.
POSITIONS = {"pos", "index", "n", "pos1", "pos2", "row", "col", "min_size", "i",
             "dst_col", "src_col", "max_source", "reserve"}

# `unsigned` parameters with these names are numbers of dimensions, rows or columns.
# isl multiplies them without a look at overflow, so they are bounded.
COUNTS = {"n", "nparam", "n_in", "n_out", "n_row", "n_col", "n_equal", "size", "dim"}

# `int` parameters that are truth values.
FLAGS = {"must", "neg", "coincident", "permutable"}

KEYWORDS = set(
    "as break const continue crate else enum extern false fn for if impl in let loop"
    " match mod move mut pub ref return self static struct super trait true type"
    " unsafe use where while async await dyn abstract become box do final macro"
    " override priv typeof unsized virtual yield try gen".split()
)

PRIMITIVES = {
    "int": "c_int", "unsigned": "c_uint", "unsigned int": "c_uint", "long": "c_long",
    "unsigned long": "c_ulong", "double": "c_double", "size_t": "usize",
    "uint32_t": "u32", "isl_bool": "isl_bool", "isl_stat": "isl_stat",
    "isl_size": "isl_size", "char": "c_char", "void": "c_void",
}

BANNER = "// Generated by crates/isl-sys/generate/generate.py from isl's headers: do not edit.\n"


class Unsupported(Exception):
    """A declaration the generator does not bind, with the reason."""


def camel(name):
    return RENAMED.get(name) or "".join(p.capitalize() for p in name.split("_"))


def ident(name):
    return name + "_" if name in KEYWORDS else name


# ------------------------------------------------------------------ parsing C


def preprocess(include, defines=False):
    names = sorted(
        f for f in os.listdir(os.path.join(include, "isl"))
        if f.endswith(".h") and f not in HEADERS_LEFT_OUT
    )
    with tempfile.NamedTemporaryFile("w", suffix=".c", delete=False) as f:
        f.writelines(f"#include <isl/{n}>\n" for n in names)
    cmd = ["gcc", "-E", "-I", include]
    cmd += ["-dM"] if defines else [f"-D__isl_{m}=__isl_{m}" for m in ("take", "give", "keep", "null")]
    try:
        return subprocess.run(cmd + [f.name], check=True, capture_output=True, text=True).stdout
    finally:
        os.unlink(f.name)


def isl_text(preprocessed):
    """The lines which come from isl's headers, as one line of text."""
    out, ours = [], False
    for line in preprocessed.splitlines():
        m = re.match(r'# \d+ "([^"]*)"', line)
        if m:
            ours = "/isl/" in m.group(1)
        elif ours and not line.startswith("#"):
            out.append(line)
    text = " ".join(out)
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", " ", text)
    return re.sub(r"\s+", " ", text)


def declarations(text):
    """Split at the semicolons which are outside braces."""
    depth, start = 0, 0
    for i, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if c == ";" and depth == 0:
            yield text[start:i].strip()
            start = i + 1


def split_commas(text):
    depth, start = 0, 0
    for i, c in enumerate(text):
        depth += (c in "({") - (c in ")}")
        if c == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    if text[start:].strip():
        yield text[start:].strip()


class Type:
    """A C type: base name, pointer depth, ownership, constness."""

    def __init__(self, text):
        m = re.match(r"(?:__isl_(take|give|keep|null)\s+)?(.*)$", text.strip())
        self.own, rest = m.group(1), m.group(2)
        self.const = bool(re.search(r"\bconst\b", rest))
        rest = re.sub(r"\b(const|struct|enum)\b", " ", rest)
        self.depth = rest.count("*")
        self.base = re.sub(r"\s+", " ", rest.replace("*", " ")).strip()

    def rust(self):
        if self.base in PRIMITIVES:
            base = PRIMITIVES[self.base]
        elif re.fullmatch(r"isl_\w+", self.base):
            base = self.base
        else:
            raise Unsupported(f"type {self.base}")
        if self.base == "void" and self.depth == 0:
            return "()"
        ptr = "*const " if self.const and self.depth == 1 else "*mut "
        return ptr * self.depth + base


class Param:
    """A parameter: either a Type or a callback."""

    def __init__(self, text):
        m = re.match(r"(.*?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)$", text)
        self.callback = None
        if m:
            self.callback = (Type(m.group(1)), [Param(p) for p in split_commas(m.group(3))])
            self.type, self.name = None, m.group(2)
            return
        m = re.match(r"(.*?)(\w+)$", text)
        if m and m.group(1).strip() and m.group(2) not in ("int", "unsigned", "long") \
                and not re.fullmatch(r"(enum|struct|const|__isl_\w+)\s*", m.group(1)):
            self.type, self.name = Type(m.group(1)), m.group(2)
        else:
            self.type, self.name = Type(text), ""

    def rust(self):
        if self.callback:
            ret, params = self.callback
            args = ", ".join(f"{ident(p.name) or 'arg'}: {p.rust()}" for p in params)
            r = ret.rust()
            return f"Option<unsafe extern \"C\" fn({args})" + ("" if r == "()" else f" -> {r}") + ">"
        return self.type.rust()


class Function:
    def __init__(self, text):
        m = re.match(r"(?:extern )?((?:__isl_\w+ )?[\w ]*?[\s*]+)(isl_\w+)\s*\((.*)\)$", text)
        if not m:
            raise Unsupported(f"declaration {text[:60]}")
        self.ret, self.name = Type(m.group(1)), m.group(2)
        self.params = [] if m.group(3).strip() == "void" else [Param(p) for p in split_commas(m.group(3))]
        for i, p in enumerate(self.params):
            p.name = p.name or f"arg{i}"

    def doc(self):
        """Who owns what: all that a signature cannot say."""
        taken = [f"`{ident(p.name)}`" for p in self.params if p.type and p.type.own == "take"]
        given = [f"`{ident(p.name)}`" for p in self.params if p.type and p.type.own == "give"]
        said = []
        if taken:
            said.append("takes " + ", ".join(taken))
        if self.ret.own == "give" or given:
            said.append("gives " + ", ".join((["its result"] if self.ret.own == "give" else []) + given))
        text = "; ".join(said) or "keeps its arguments"
        return f"    /// `{self.name}`: {text}.\n"

    def extern(self):
        args = ", ".join(f"{ident(p.name)}: {p.rust()}" for p in self.params)
        ret = self.ret.rust()
        return self.doc() + f"    pub fn {self.name}({args})" + ("" if ret == "()" else f" -> {ret}") + ";\n"


# ------------------------------------------------------------- writing safe Rust


class Method:
    """One safe method made from one isl function.

    - the first parameter of the owning type becomes `&self`; without one the
      function becomes an associated function;
    - every object comes as a reference, also where isl takes it (`__isl_take`):
      the method hands isl a copy, which is one reference more;
    - `T **` results (`__isl_give`) join the return value in a tuple;
    - a callback and its `void *user` become a `&mut dyn FnMut`.
    """

    def __init__(self, fn, owner, name, types):
        self.fn, self.owner, self.types = fn, owner, types
        if fn.name == "isl_basic_set_compute_vertices":
            fn.ret.own = "give"  # The header forgets it.
        self.name = name
        self.params, self.setup, self.args, self.outs, self.states = [], [], [], [], []
        self.ctx = None
        self.has_self = False
        self.inputs()
        self.text = self.body()

    def wrapped(self, t, depth=1):
        base = t.base[4:] if t.base.startswith("isl_") else ""
        if t.depth == depth and base in self.types and base not in UNWRAPPED:
            return camel(base)
        return None

    def objects(self, ptr_name, rust_name):
        if self.ctx is None:
            self.ctx = f"{rust_name}.ctx()"
        else:
            self.setup.append(f"{self.ctx}.check_same({rust_name}.ctx())?;")

    def inputs(self):
        params = list(self.fn.params)
        # The context first: it need not be the first parameter.
        skip = None
        for i, p in enumerate(params):
            if p is skip:
                continue
            name = ident(p.name)
            if p.callback:
                user = params[i + 1] if i + 1 < len(params) else None
                if user is None or user.callback or user.type.base != "void":
                    raise Unsupported("callback without user pointer")
                skip = user
                self.callback(p, name)
                continue
            t = p.type
            if t.base == "isl_ctx" and t.depth == 1:
                self.params.append("ctx: &Ctx")
                if self.ctx is None:
                    self.ctx = "ctx"
                self.args.append("ctx.as_ptr()")
            elif self.wrapped(t) and t.own in ("take", "keep", None):
                if t.own is None and not p.is_keep_by_rule:
                    raise Unsupported(f"no ownership on {t.base} *{p.name}")
                mine = t.base == "isl_" + self.owner
                if mine and i == 0:
                    name = "self"
                    self.has_self = True
                    self.params.append("&self")
                else:
                    self.params.append(f"{name}: &{camel(t.base[4:])}")
                self.objects(name, name)
                self.args.append(f"{name}.copy_ptr()" if t.own == "take" else f"{name}.as_ptr()")
            elif t.base == "isl_bool" and t.depth == 1:
                self.setup.append(f"let mut out_{name} = sys::isl_bool_false;")
                self.args.append(f"&mut out_{name}")
                self.outs.append((f"out_{name}", "bool"))
            elif self.wrapped(t, 2) and t.own in ("give", None):
                self.setup.append(f"let mut out_{name.lower()} = ptr::null_mut();")
                self.args.append(f"&mut out_{name.lower()}")
                self.outs.append((f"out_{name.lower()}", self.wrapped(t, 2)))
            elif t.base == "char" and t.depth == 1 and t.const:
                self.params.append(f"{name}: &str")
                self.setup.append(f"let {name} = c_string({name})?;")
                self.args.append(f"{name}.as_ptr()")
            elif t.depth == 0 and t.base in ENUMS:
                self.params.append(f"{name}: {ENUMS[t.base][0]}")
                self.args.append(f"{name}.to_raw()")
            elif t.depth == 0 and t.base in ("unsigned", "unsigned int"):
                self.params.append(f"{name}: impl Pos")
                to = "to_count" if p.name in COUNTS and "_list_" not in self.fn.name else "to_uint"
                self.setup.append(f"let {name} = {name}.{to}()?;")
                self.args.append(name)
            elif t.depth == 0 and t.base == "int" and p.name in POSITIONS:
                self.params.append(f"{name}: impl Pos")
                self.setup.append(f"let {name} = {name}.to_int()?;")
                self.args.append(name)
            elif t.depth == 0 and t.base == "int" and p.name in FLAGS:
                self.params.append(f"{name}: impl Into<i32>")
                self.args.append(f"{name}.into()")
            elif t.depth == 0 and t.base == "int":
                self.params.append(f"{name}: i32")
                self.args.append(name)
            elif t.depth == 0 and t.base == "isl_bool":
                self.params.append(f"{name}: bool")
                self.args.append(f"c_int::from({name})")
            elif t.depth == 0 and t.base == "long":
                self.params.append(f"{name}: i64")
                self.setup.append(f"let {name} = to_c_long({name})?;")
                self.args.append(name)
            elif t.depth == 0 and t.base == "unsigned long":
                self.params.append(f"{name}: u64")
                self.setup.append(f"let {name} = to_c_ulong({name})?;")
                self.args.append(name)
            elif t.depth == 0 and t.base == "double":
                self.params.append(f"{name}: f64")
                self.args.append(name)
            else:
                raise Unsupported(f"parameter {t.base} {'*' * t.depth}{p.name}")
        if self.ctx is None:
            raise Unsupported("no context to be had from the parameters")

    def callback(self, p, name):
        ret, params = p.callback
        raw, rust, make, call = [], [], [], []
        for i, q in enumerate(params):
            if q.callback:
                raise Unsupported("callback in callback")
            if q.type.base == "void":
                if i != len(params) - 1:
                    raise Unsupported("user pointer in the middle")
                raw.append("user: *mut c_void")
                continue
            if q.type.base in ENUMS and q.type.depth == 0:
                e = ENUMS[q.type.base][0]
                raw.append(f"a{i}: sys::{q.type.base}")
                rust.append(e)
                make.append(f"let a{i} = {e}::from_raw(a{i}).ok_or_else(|| ctx.error());")
                call.append(f"a{i}?")
                continue
            ty = self.wrapped(q.type)
            if not ty:
                raise Unsupported(f"callback parameter {q.type.base}")
            raw.append(f"a{i}: *mut sys::{q.type.base}")
            rust.append(ty if q.type.own == "take" else f"&{ty}")
            conv = "from_ptr" if q.type.own == "take" else "from_kept_ptr"
            make.append(f"let a{i} = unsafe {{ {ty}::{conv}(&ctx, a{i}) }};")
            call.append(f"a{i}?" if q.type.own == "take" else f"&a{i}?")
        if ret.base == "isl_stat" and not ret.depth:
            res, craw, conv = "()", "sys::isl_stat", ("sys::isl_stat_ok", "sys::isl_stat_error")
        elif ret.base == "isl_bool" and not ret.depth:
            res, craw, conv = "bool", "sys::isl_bool", ("sys::isl_bool::from(r)", "sys::isl_bool_error")
        elif ret.base == "int" and not ret.depth:
            res, craw, conv = "Ordering", "c_int", ("r as c_int", "0")
        elif self.wrapped(ret) and ret.own == "give":
            res, craw, conv = self.wrapped(ret), f"*mut sys::{ret.base}", ("r.into_ptr()", "ptr::null_mut()")
        else:
            raise Unsupported("callback result")
        dyn = f"dyn FnMut({', '.join(rust)}) -> Result<{res}>"
        self.params.append(f"{name}: &mut {dyn}")
        r = "_" if res == "()" else "r"
        self.states.append(
            f"""unsafe extern "C" fn call_{name}({', '.join(raw)}) -> {craw} {{
            let state = unsafe {{ &mut *user.cast::<Callback<'_, {dyn}>>() }};
            let ctx = state.ctx();
            {' '.join(make)}
            let done = state.run(|f| f({', '.join(call)}));
            match done {{ Some({r}) => {conv[0]}, None => {conv[1]} }}
        }}"""
        )
        self.setup.append(f"let mut {name} = Callback::new(__CTX__, {name});")
        self.args += [f"Some(call_{name})", f"{name}.user()"]
        self.finish = getattr(self, "finish", []) + [f"{name}.finish()?;"]

    def body(self):
        fn, ret, ctx = self.fn, self.fn.ret, self.ctx
        call = f"unsafe {{ sys::{fn.name}({', '.join(self.args)}) }}"
        outs = [f"let {n} = {ctx}.check_bool({n});" if t == "bool"
                else f"let {n} = unsafe {{ {t}::from_ptr({ctx}, {n}) }};" for n, t in self.outs]
        finish = getattr(self, "finish", [])
        tail = []
        if self.wrapped(ret) and ret.own == "give":
            ty = self.wrapped(ret)
            if fn.name in NULLABLE:
                ty, expr = f"Option<{ty}>", f"unsafe {{ {ty}::from_nullable_ptr({ctx}, r) }}"
            else:
                expr = f"unsafe {{ {ty}::from_ptr({ctx}, r) }}"
            if fn.name.endswith("_read_from_str"):
                expr += ".map_err(|error| error.in_text(&str))"
        elif ret.base.startswith("isl_maybe_isl_") and ret.depth == 0 and self.wrapped(self.maybe(ret)):
            inner = self.wrapped(self.maybe(ret))
            ty = f"Option<{inner}>"
            expr = (f"{{ let valid = {ctx}.check_bool(r.valid)?; if valid "
                    f"{{ unsafe {{ {inner}::from_ptr({ctx}, r.value) }}.map(Some) }} else {{ Ok(None) }} }}")
        elif ret.base == "char" and ret.depth == 1 and ret.own == "give":
            ty, expr = "String", f"unsafe {{ {ctx}.take_string(r) }}"
        elif ret.base == "char" and ret.depth == 1 and ret.const:
            ty, expr = "String", f"unsafe {{ {ctx}.copy_string(r) }}"
        elif ret.depth:
            raise Unsupported(f"result {ret.base} *")
        elif ret.base == "isl_bool":
            ty, expr = "bool", f"{ctx}.check_bool(r)"
        elif ret.base == "isl_stat":
            ty, expr = "()", f"{ctx}.check_stat(r)"
        elif ret.base == "isl_size":
            ty, expr = "usize", f"{ctx}.check_size(r)"
        elif ret.base in ENUMS:
            e = ENUMS[ret.base][0]
            ty, expr = e, f"{e}::from_raw(r).ok_or_else(|| {ctx}.error())"
        elif ret.base == "int" and "_find_dim_by_" in fn.name:
            ty, expr = "Option<usize>", f"{ctx}.check_found(r)"
        elif ret.base == "int" and re.search(r"_is_\w+$", fn.name):
            ty, expr = "bool", f"{ctx}.check_bool(r)"
        elif ret.base == "int":
            ty, expr = "i32", f"{ctx}.check_value(r)"
        elif ret.base == "long":
            ty, expr = "i64", f"{ctx}.check_value(r).map(from_c_long)"
        elif ret.base == "double":
            ty, expr = "f64", f"{ctx}.check_value(r)"
        elif ret.base == "uint32_t":
            ty, expr = "u32", f"{ctx}.check_value(r)"
        # No `void`: such functions change an object that others may share.
        else:
            raise Unsupported(f"result {ret.base}")
        if self.outs:
            if ret.base == "isl_stat":
                tail.append(f"{expr}?;")
                values, tys = [], []
            elif self.wrapped(ret):
                tail.append(f"let r = {expr};")
                values, tys = ["r?"], [ty]
            elif ret.base == "isl_bool":
                values, tys = [], []
                # The other results are there if the answer is yes.
                outs.insert(0, f"if !{expr}? {{ return Ok(None); }}")
            else:
                raise Unsupported(f"result {ret.base} with output parameters")
            values += [f"{n}?" for n, _ in self.outs]
            tys += [t for _, t in self.outs]
            ty = tys[0] if len(tys) == 1 else f"({', '.join(tys)})"
            expr = f"({', '.join(values)})" if len(values) > 1 else values[0]
            if ret.base == "isl_bool":
                ty, expr = f"Option<{ty}>", f"Some({expr})"
            expr = f"Ok({expr})"
        lines = self.states + [s.replace("__CTX__", ctx) for s in self.setup]
        lines += [f"{ctx}.begin();"]
        if not finish and not outs and len(re.findall(r"\br\b", expr)) == 1 and not tail \
                and "take_string" not in expr and "unsafe" not in expr:
            lines.append(re.sub(r"\br\b", lambda _: call, expr))
        else:
            lines.append(f"let r = {call};")
            if finish and self.wrapped(ret) and not tail:
                # Own the result before a callback's error makes the method return.
                lines += [f"let r = {expr};"] + outs + finish + ["r"]
            else:
                lines += outs + finish + tail + [expr]
        head = f"    /// Calls `{fn.name}`.\n"
        if len(self.params) > 7:
            head += "    #[allow(clippy::too_many_arguments, reason = \"isl's arguments\")]\n"
        name = ident(self.name)
        return (f"{head}    pub fn {name}({', '.join(self.params)}) -> Result<{ty}> {{\n        "
                + "\n        ".join(lines) + "\n    }\n")

    def maybe(self, ret):
        t = Type(ret.base[len("isl_maybe_"):] + " *")
        return t


def write(path, text):
    with open(path, "w") as f:
        f.write(text)
    subprocess.run(["rustfmt", "--edition", "2024", path], check=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("--include", default="/usr/include")
    ap.add_argument("--library", default="/usr/lib/x86_64-linux-gnu/libisl.so")
    ap.add_argument("--verbose", action="store_true", help="list what is skipped, and why")
    opt = ap.parse_args()

    exported = set(re.findall(r" [TW] (isl_\w+)", subprocess.run(
        ["nm", "-D", "--defined-only", opt.library], check=True, capture_output=True, text=True).stdout))
    text = isl_text(preprocess(opt.include))

    functions, constants, enums, opaque, maybes, skipped = {}, [], {}, set(), {}, []
    for d in declarations(text):
        m = re.match(r"(?:typedef )?enum (\w*) ?\{(.*)\}", d) or re.match(r"typedef enum (\w*) ?\{(.*)\} \w+$", d)
        if m:
            value, names = -1, []
            for item in split_commas(m.group(2)):
                k, _, v = (x.strip() for x in item.partition("="))
                value = (int(v) if re.fullmatch(r"-?\d+", v) else dict(names)[v]) if v else value + 1
                names.append((k, value))
            if not re.match(r"ISL_TOKEN|isl_arg|isl_lp", names[0][0]):
                constants += names
                if m.group(1):
                    enums[m.group(1)] = names
            continue
        m = re.match(r"struct (isl_maybe_\w+) \{ isl_bool valid; (\w+) \*value; \}", d)
        if m:
            maybes[m.group(1)] = m.group(2)
            continue
        m = re.match(r"(?:typedef )?struct (isl_\w+)(?: isl_\w+)?$", d)
        if m:
            opaque.add(m.group(1))
            continue
        if "(" not in d or "{" in d or d.startswith(("typedef", "extern struct")):
            continue
        try:
            f = Function(d)
            if NEVER.match(f.name) or f.name in functions:
                continue
            if f.name not in exported:
                skipped.append((f.name, "not exported by the library"))
                continue
            f.extern()
            functions[f.name] = f
        except Unsupported as e:
            skipped.append((d[:70], str(e)))

    # --- isl-sys
    used = set()
    lines = []
    for f in functions.values():
        e = f.extern()
        names = set(re.findall(r"\bisl_\w+\b", e.split("pub fn ", 1)[1].split("(", 1)[1]))
        lines.append(e)
        used |= names
    used -= {"isl_bool", "isl_stat", "isl_size"} | {f for f in functions}
    out = [BANNER, "use std::ffi::{c_char, c_double, c_int, c_long, c_uint, c_ulong, c_void};\n\n",
           "/// A truth value: 0, 1, or -1 for an error.\npub type isl_bool = c_int;\n"
           "/// Success (0) or an error (-1).\npub type isl_stat = c_int;\n"
           "/// A size, or -1 for an error.\npub type isl_size = c_int;\n\n"]
    for e in enums:
        out.append(f"/// `enum {e}`.\npub type {e} = c_int;\n")
    out.append("\n")
    for k, v in constants:
        out.append(f"/// `{k}`.\npub const {k}: c_int = {v};\n")
    for m in sorted(re.findall(r"#define (ISL_(?!ARG)[A-Z_0-9]+) +(-?\d+)$",
                               preprocess(opt.include, True), re.M)):
        out.append(f"/// `{m[0]}`.\npub const {m[0]}: c_int = {m[1]};\n")
    out.append("\n")
    for m, v in maybes.items():
        out.append(f"/// A `{v}`, if `valid` is true.\n#[repr(C)]\npub struct {m} {{\n"
                   f"    /// Whether there is a value.\n    pub valid: isl_bool,\n"
                   f"    /// The value.\n    pub value: *mut {v},\n}}\n")
        used.add(v)
    for t in sorted(used - set(enums) - set(maybes)):
        if t in dict(constants):
            continue
        out.append(f"/// isl's `{t}`.\n#[repr(C)]\npub struct {t} {{ _opaque: [u8; 0] }}\n")
    out.append('\nunsafe extern "C" {\n' + "".join(lines) + "}\n")
    write(os.path.join(SYS, "bindings.rs"), "".join(out))

    # --- isl
    os.makedirs(SAFE, exist_ok=True)
    for f in os.listdir(SAFE):
        os.unlink(os.path.join(SAFE, f))
    types = sorted(
        m.group(1) for f in functions if (m := re.fullmatch(r"isl_(\w+)_free", f))
        and m.group(1) not in UNWRAPPED
    )
    copied = {t for t in types if f"isl_{t}_copy" in functions}
    by_length = sorted(types, key=len, reverse=True)
    methods = {t: [] for t in types}
    options = []
    for f in functions.values():
        if BY_HAND.match(f.name) and not f.name.startswith("isl_options_set_tile"):
            continue
        for p in f.params:
            # A few old functions lack annotations; all of them only read.
            p.is_keep_by_rule = True
        try:
            m = re.fullmatch(r"isl_options_((?:set|get)_\w+)", f.name)
            if m:
                options.append(option(f, m.group(1)))
                continue
            if f.name in RECEIVER:
                owner, name = RECEIVER[f.name]
            else:
                owner = next((t for t in by_length if f.name.startswith(f"isl_{t}_")), None)
                if owner is None:
                    raise Unsupported("no wrapped type in its name")
                name = f.name[len(f"isl_{owner}_"):]
            for p in f.params:
                if p.type and p.type.depth == 1 and p.type.own is None \
                        and p.type.base[4:] in types:
                    print("no annotation, taken as keep:", f.name, p.name, file=sys.stderr)
            for p in f.params:
                if p.type and p.type.depth == 1 and p.type.own == "take" \
                        and p.type.base[4:] in types and p.type.base[4:] not in copied:
                    raise Unsupported(f"takes {p.type.base}, which has no copy")
            methods[owner].append(Method(f, owner, name.lower(), types).text)
        except Unsupported as e:
            skipped.append((f.name, str(e)))

    mods = []
    for t in types:
        str_fn = f"isl_{t}_to_str" if f"isl_{t}_to_str" in functions else None
        head = BANNER + (
            "#[allow(unused_imports, reason = \"one list of imports for all files\")]\nuse super::prelude::*;\n\n"
            f"object! {{\n    /// isl's `isl_{t}`.\n    {camel(t)}, isl_{t}, isl_{t}_free"
            + (f", copy isl_{t}_copy" if t in copied else "") + (f", show {str_fn}" if str_fn else "") + "\n}\n\n")
        body = f"impl {camel(t)} {{\n" + "\n".join(methods[t]) + "}\n"
        write(os.path.join(SAFE, f"{t}.rs"), head + body)
        mods.append(t)

    text = [BANNER]
    for e, (rust, prefix) in ENUMS.items():
        text.append(f"/// isl's `enum {e}`.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\n"
                    f"pub enum {rust} {{\n")
        variants, aliases = [], []
        seen = {}
        for k, v in enums[e]:
            n = camel(k[len(prefix):])
            if v < 0:
                continue
            if v in seen:
                aliases.append((n, seen[v], k))
            else:
                seen[v] = n
                variants.append((n, k))
        for n, k in variants:
            text.append(f"    /// `{k}`.\n    {n},\n")
        text.append(f"}}\n\nimpl {rust} {{\n")
        for n, same, k in aliases:
            text.append(f"    /// `{k}`, the same as [`{rust}::{same}`].\n"
                        f"    #[allow(non_upper_case_globals, reason = \"used like a variant\")]\n"
                        f"    pub const {n}: {rust} = {rust}::{same};\n\n")
        allow = "    #[allow(dead_code, reason = \"not every enum goes both ways\")]\n"
        text.append(allow + "    pub(crate) fn to_raw(self) -> isl_sys::" + e + " {\n        match self {\n")
        text += [f"            {rust}::{n} => isl_sys::{k},\n" for n, k in variants]
        text.append("        }\n    }\n\n" + allow + "    pub(crate) fn from_raw(raw: isl_sys::" + e + ") -> Option<Self> {\n        Some(match raw {\n")
        text += [f"            isl_sys::{k} => {rust}::{n},\n" for n, k in variants]
        text.append("            _ => return None,\n        })\n    }\n}\n\n")
    text = "".join(text)
    write(os.path.join(SAFE, "enums.rs"), text)

    write(os.path.join(SAFE, "options.rs"),
          BANNER + "use super::prelude::*;\n\n/// isl's options.\nimpl Ctx {\n" + "\n".join(options) + "}\n")

    text = [BANNER, "//! The generated part: one module per isl type.\n\n"]
    text.append("mod prelude {\n    pub(super) use std::cmp::Ordering;\n    pub(super) use std::ffi::{c_int, c_void};\n"
                "    pub(super) use std::ptr;\n\n    pub(super) use isl_sys as sys;\n\n"
                "    pub(super) use super::*;\n    pub(super) use crate::callback::Callback;\n"
                "    pub(super) use crate::convert::{c_string, from_c_long, to_c_long, to_c_ulong};\n"
                "    pub(super) use crate::object::object;\n    pub(super) use crate::{Ctx, Pos, Result};\n}\n\n")
    text += [f"mod {t};\n" for t in ["enums", "options"] + mods]
    text.append("\npub use enums::*;\n")
    text += [f"pub use {t}::{camel(t)};\n" for t in mods]
    write(os.path.join(SAFE, "mod.rs"), "".join(text))

    print(f"{len(functions)} externs, {sum(map(len, methods.values()))} methods over {len(types)} types,"
          f" {len(options)} options, {len(skipped)} skipped")
    if opt.verbose:
        for name, why in skipped:
            print(f"  {name}: {why}")


def option(f, name):
    doc = f"    /// Calls `{f.name}`.\n"
    if name == "set_ast_iterator_type":
        return (doc + f"    pub fn {name}(&self, value: &str) -> Result<()> {{\n"
                "        let value = c_string(value)?;\n        self.begin();\n"
                f"        self.check_stat(unsafe {{ sys::{f.name}(self.as_ptr(), value.as_ptr()) }})\n    }}\n")
    if f.ret.depth:
        return (doc + f"    pub fn {name}(&self) -> Result<String> {{\n        self.begin();\n"
                f"        unsafe {{ self.copy_string(sys::{f.name}(self.as_ptr())) }}\n    }}\n")
    if name.startswith("set_"):
        if len(f.params) != 2 or f.params[1].type.depth or f.params[1].type.base not in ("int", "unsigned"):
            raise Unsupported("option with an unusual signature")
        return (doc + f"    pub fn {name}(&self, value: impl Into<i32>) -> Result<()> {{\n"
                "        let value = value.into();\n        self.begin();\n"
                f"        self.check_stat(unsafe {{ sys::{f.name}(self.as_ptr(), value) }})\n    }}\n")
    return (doc + f"    pub fn {name}(&self) -> Result<i32> {{\n        self.begin();\n"
            f"        self.check_value(unsafe {{ sys::{f.name}(self.as_ptr()) }})\n    }}\n")


if __name__ == "__main__":
    main()
