"""Generate random headers with all constructs of C that drivers' headers can have and that gcc and clang lay out in the same way.

A tree is a set of files. A file is a list of chunks: pieces of text such as a struct, a few macros or an include. Each chunk is
written by one of the functions in CHUNKS. They can add files, such as one that is included in the middle of a struct. The result
can be invalid C: versions.py compiles it, and removes the chunks that a compiler rejects.

Some constructs are left out, because drvabi's format cannot represent them, or because the compilers disagree on whether they are
valid: poisoned macros (gcc undefines them); qualified typedefs of a record without a tag; a typedef and a tag with the same name;
raw strings; vectors; typeof of a typedef; __FILE__; and shifts that exceed the width of the type, except in macros. Constructs that
the compilers lay out differently are only in one of eight cases: drvabi must warn about them, and with this warning the layouts of
the version are not compared (see judge.py).
"""
import re

BASIC = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
         "unsigned long long", "float", "double", "_Bool", "u8", "u16", "u32", "u64", "i32", "handle_t", "long double", "__int128",
         "size_t", "aligned_u64", "unsigned char", "u32", "u64", "int"]
WHOLE = ["int", "unsigned", "char", "unsigned char", "short", "u8", "u16", "u32", "u64", "_Bool", "long long", "signed char"]
OWN = {"limits.h": ["CHAR_BIT", "INT_MAX", "SCHAR_MAX", "USHRT_MAX"], "stdbool.h": ["bool", "true"],
       "stddef.h": ["NULL", "offsetof"], "stdint.h": ["UINT8_MAX", "INT16_MAX", "INT32_C", "UINT64_C"],
       "stdarg.h": ["va_start"], "stdalign.h": ["alignas"], "iso646.h": ["and", "bitor"], "float.h": ["FLT_RADIX", "DBL_DIG"]}
BASE = """typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef u32 handle_t;
typedef u64 aligned_u64 __attribute__((aligned(8)));
typedef __SIZE_TYPE__ size_t;
#define CAT_(a, b) a ## b
#define CAT(a, b) CAT_(a, b)
#define STR_(x) #x
#define STR(x) STR_(x)
#define HERE __LINE__
#define NEXT __COUNTER__
#define PACKED __attribute__((packed))
#define ALIGNED(n) __attribute__((aligned(n)))
#define DECLARE_STRUCT(name) struct name
#define END_STRUCT ;
#define END_PACKED PACKED;
#define ARRAY_OF(type, name, n) type name[n]
#define UNIQUE(name) CAT(name, __LINE__)
#define LEN 4
#define WIDTH 3
"""


ODDITIES = ["names", "files", "spelled includes", "disguises", "expressions", "guards", "helpers"]


class File:
    """chunks: texts that end with a newline; eol: the line end in the file; bom: begin with a byte order mark; is_open: omit the last line end"""

    def __init__(self, chunks, eol="\n", bom=False, is_open=False):
        self.chunks, self.eol, self.bom, self.is_open = chunks, eol, bom, is_open

    def copy(self):
        return File(list(self.chunks), self.eol, self.bom, self.is_open)

    def text(self):
        return "".join(self.chunks)

    def bytes(self):
        text = self.text()
        if self.is_open and text.endswith("\n") and not text.endswith("\\\n"):
            text = text[:-1]
        if self.eol == "mixed":
            lines = text.split("\n")
            ends = ["\n", "\r\n", "\r"]
            text = "".join(line + ends[(number + len(lines)) % 3] for number, line in enumerate(lines[:-1])) + lines[-1]
        else:
            text = text.replace("\n", self.eol)
        return (b"\xef\xbb\xbf" if self.bom else b"") + text.encode(errors="surrogateescape")


class Writer:
    """Writes chunks. Stores the names that were declared so far, and the tree to which chunks add files."""

    def __init__(self, random, files):
        self.random, self.files = random, files
        self.count = 0
        # A case has only a few kinds of chunks and oddities, because one can hide a fault that another would show.
        self.kinds = {kind: CHUNKS[kind] for kind in random.sample(list(CHUNKS), random.choice([2, 3, 4, 6, 10, 20]))}
        self.kinds.setdefault(plain_struct, 6)
        if random.random() < 0.125:
            self.kinds[differing] = 3
        probability = random.choice([0, 0.15, 0.15, 0.5])
        self.oddities = {oddity for oddity in ODDITIES if random.random() < probability}
        self.records, self.enums, self.enumerators, self.typedefs, self.macros, self.flags = [], [], ["0"], [], [], []
        self.fields_of = {}
        self.missing = []

    # --- names and small parts

    def maybe(self, probability):
        return self.random.random() < probability

    def choice(self, options):
        return self.random.choice(options)

    def number(self):
        self.count += 1
        return self.count

    def name(self, stem):
        odd = self.choice(["é", "ß", "λ", "名", "$"]) if "names" in self.oddities and self.maybe(0.1) else ""
        return f"{stem}{odd}{self.number()}"

    def small(self):
        return self.choice(["1", "2", "3", "4", "5", "7", "8", "0x10", "LEN", "WIDTH", "sizeof(int)", "(1 << 2)", "2u", "'\\4'"])

    def constant(self):
        """Return an integer constant expression. The names in it can be undefined where it is used."""
        small, other = self.small(), self.choice(self.enumerators[-8:])
        options = [small, f"({small} + {self.small()})", f"({small} * 2 - 1)", other, f"({other} + 1)", "sizeof(u64)", "'a'", "-1", "(-7)", "0x80",
                   "(unsigned char)300", f"({small} > 3 ? {self.small()} : 9)", "(int)1.5", "__CHAR_BIT__", "CAT(1, 2)", "!0", "(3, 4) * 0 + 1"[9:]]
        if self.records:
            record = self.choice(self.records)
            options += [f"sizeof(struct {record})", f"_Alignof(struct {record})"]
            if self.fields_of.get(record):
                options.append(f"__builtin_offsetof(struct {record}, {self.choice(self.fields_of[record])})")
        if self.macros:
            options += [self.choice(self.macros), f"({self.choice(self.macros)} & 0xff)"]
        if "expressions" in self.oddities and self.maybe(0.3):
            options = ["HERE", "__LINE__", "(HERE % 7 + 1)", "__INCLUDE_LEVEL__", "CHAR_BIT", "INT_MAX", "true", "(NULL == 0)", "UINT8_MAX",
                       "sizeof(STR(LEN))", "_Generic((u8)0, unsigned char: 5, default: 6)", "sizeof(enum { %s = 5 })" % self.enumerator(),
                       "sizeof(struct { char c[3]; })"]
        return self.choice(options)

    def enumerator(self):
        name = self.name("E")
        self.enumerators.append(name)
        return name

    def attributes(self, probability=0.3):
        if not self.maybe(probability):
            return ""
        return " " + self.choice(["PACKED", "__attribute__((packed))", "ALIGNED(16)", "__attribute__((__aligned__(4)))", "ALIGNED(2) PACKED",
                                  "__attribute__((packed, aligned(4)))", "__attribute__((aligned(sizeof(u64))))", "ALIGNED(LEN)",
                                  "__attribute__((aligned))"])

    def body(self, tag):
        """Return @tag with a list of enumerators in braces."""
        values = []
        for _ in range(self.random.randint(1, 4)):
            value = self.constant() if self.maybe(0.6) else ""
            if self.maybe(0.1):
                value = self.choice(["NEXT", "__COUNTER__", "0x100000000", "-2147483648LL", "0xffffffff"])
            values.append(self.enumerator() + (f" = {value}" if value else ""))
        return f"{tag} {{ {', '.join(values)}{',' if self.maybe(0.3) else ''} }}"

    # --- members

    def type(self):
        options = BASIC
        if self.records and self.maybe(0.3):
            options = [f"struct {self.choice(self.records)}"]
        elif self.typedefs and self.maybe(0.25):
            options = [self.choice(self.typedefs)]
        elif self.enums and self.maybe(0.1):
            options = [f"enum {self.choice(self.enums)}"]
        elif self.maybe(0.06):
            options = ["uint32_t", "uint64_t", "int8_t", "bool", "uintptr_t", "ptrdiff_t", "int_fast8_t", "int_fast16_t", "uint_fast32_t", "int_least16_t"]
        qualifier = self.choice(["const ", "volatile "]) if self.maybe(0.08) else ""
        return qualifier + self.choice(options)

    def dimensions(self):
        return "".join(f"[{self.small() if self.maybe(0.8) else self.constant()}]" for _ in range(self.choice([1, 1, 1, 2, 3])))

    def field(self, depth, names):
        kind = self.random.random()
        name = self.name("f")
        end = ";\n"
        if kind < 0.40:
            names.append(name)
            return f"{self.type()} {name}{self.attributes(0.12)}{end}"
        if kind < 0.52:
            names.append(name)
            return f"{self.type()} {name}{self.dimensions()}{end}"
        if kind < 0.62:
            return self.bit_fields()
        if kind < 0.70:
            names.append(name)
            return self.choice([f"{self.type()} *{name}{end}", f"void (*{name})(int, const char *){end}", f"u32 (*{name})[3]{end}",
                                f"struct {self.name('incomplete')} *{name}{end}", f"int (*{name}[2])(u32 a, ...){end}",
                                f"const void *const *{name}{end}", f"char *{name}[LEN]{end}"])
        if kind < 0.75:
            names.append(name)
            more = self.name("f")
            return f"{self.choice(WHOLE)} {name}, *{more}, {more}x[2]{end}"
        if kind < 0.78:
            names.append(name)
            return f"_Alignas({self.choice(['8', 'u64', '16'])}) {self.choice(['char', 'int', 'u16'])} {name}{end}"
        if kind < 0.81:
            names.append(name)
            return f"ARRAY_OF(u16, {name}, {self.small()}){end}"
        if kind < 0.84:
            return f"{self.body('enum ' + self.named_enum() if self.maybe(0.5) else 'enum')} {name}{end}"
        if kind < 0.86:
            names.append(name)
            return f"char {name}[sizeof(struct {self.record()} {{ int a; char {self.name('b')}; }})]{end}"
        if depth:
            key = self.choice(["struct", "struct", "union"])
            inner = self.fields(self.random.randint(1, 3), depth - 1)
            tag = f" {self.record()}" if self.maybe(0.3) and key == "struct" else ""
            declarator = self.choice(["", "", f" {name}", f" {name}[2]", f" *{name}"]) if not tag else f" {name}"
            before, after = (self.attributes(0.25), "") if self.maybe(0.5) else ("", self.attributes(0.25) if tag else "")
            return f"{key}{before}{tag} {{\n{inner}}}{after}{declarator}{end}"
        names.append(name)
        return f"u32 {name}{end}"

    def bit_fields(self):
        fields = []
        base = self.choice(WHOLE)
        for _ in range(self.random.randint(1, 4)):
            wide = 1 if base == "_Bool" else self.random.randint(1, 8)
            kind = self.random.random()
            if kind < 0.12:
                fields.append(f"{base} : 0;\n")
            elif kind < 0.25:
                fields.append(f"{base} : {wide};\n")
            elif kind < 0.3:
                fields.append(f"{base} {self.name('w')} : sizeof(enum {{ {self.enumerator()} = 3 }}) - 3;\n")
            else:
                width = "WIDTH" if self.maybe(0.1) and base != "_Bool" else wide
                fields.append(f"{base} {self.name('w')} : {width}{self.attributes(0.04)};\n")
        return "".join(fields)

    def fields(self, count, depth=2, names=None):
        names = names if names is not None else []
        lines = [self.field(depth, names) for _ in range(count)]
        if self.maybe(0.08) and self.macros_or_flags():
            at = self.random.randrange(len(lines) + 1)
            lines.insert(at, f"#{self.condition()}\n{self.field(0, [])}#else\n{self.field(0, [])}#endif\n")
        return "".join(lines) + (f"int {self.name('last')};\n" if not names else "")

    def macros_or_flags(self):
        return self.macros or self.flags

    def condition(self):
        options = ["ifdef CHAR_BIT", "ifdef NULL", "ifdef bool", "ifndef INT_MAX", "if defined(offsetof)", "ifdef UINT8_MAX", "if LEN > 3",
                   "if defined LEN && WIDTH == 3", "if __INCLUDE_LEVEL__ > 1", "ifdef __BYTE_ORDER__", "if 'a' == 97", "if __LINE__ % 2",
                   "if __GNUC__ > 4", "if __GNUC__ == 12 && __GNUC_MINOR__ >= 0", "ifdef __clang__", "ifdef __llvm__", "ifdef __LITTLE_ENDIAN__",
                   "if __INT_FAST16_WIDTH__ > 16", "if 18446744073709551615 > 3"]
        options += [f"ifdef {flag}" for flag in self.flags[-4:]] + [f"ifndef {flag}" for flag in self.flags[-2:]]
        options += [f"if defined({name}) && {name} > 3" for name in self.macros[-3:] if name.isascii()]
        return self.choice(options)

    def record(self):
        name = self.name("s")
        self.records.append(name)
        return name

    def named_enum(self):
        name = self.name("e")
        self.enums.append(name)
        return name

    def file(self, stem, text):
        """Add a file for a chunk to include. Return its path."""
        path = f"{self.choice(['inc', 'inc', 'inc/sub'])}/{stem}{self.number()}.{self.choice(['h', 'inc', 'def'])}"
        self.files[path] = self.new_file([text])
        return path

    def new_file(self, chunks):
        if "files" not in self.oddities:
            return File(chunks)
        return File(chunks, eol=self.choice(["\n"] * 8 + ["\r\n", "\r", "mixed"]), bom=self.maybe(0.15), is_open=self.maybe(0.15))

    def include(self, path, directory="api"):
        """Return a directive that includes a path of the tree, in one of the possible spellings."""
        below = path.split("/", 1)[1]
        if "spelled includes" not in self.oddities:
            return f'#include "{below}"\n'
        spelled = self.choice([f'"{below}"', f"<{below}>", f'"../{path}"', f'"../{directory}/../{path}"', f'"./../inc/{below}"'] if path.startswith("inc/")
                              else [f'"{below}"', f"<{below}>", f'"../{path}"'])
        if self.maybe(0.12):
            macro = self.name("FILE_").replace("$", "")
            return f"#define {macro} {spelled}\n#include {macro}\n"
        return self.choice(["#include ", "#include ", "#include ", "#import ", "# include ", "#include\t", "#/**/include/**/ ", "#in\\\nclude "]) + spelled + "\n"


# --- chunks: each function returns a text, and adds the declared names to the writer

def plain_struct(w):
    names = []
    name = w.name("s")
    text = w.fields(w.random.randint(1, 6), 2, names)
    if w.maybe(0.08):
        text += f"{w.type()} {w.name('tail')}[{w.choice(['', '0'])}];\n"
    before, after = (w.attributes(0.2), "") if w.maybe(0.5) else ("", w.attributes(0.3))
    w.records.append(name)
    w.fields_of[name] = names
    extern = f" {w.choice(['*', ''])}{w.name('variable')}" if w.maybe(0.08) else ""
    return f"{'extern ' if extern else ''}struct{before} {name} {{\n{text}}}{after}{extern};\n"


def attributes_after(w):
    """Return an attribute to write after a typedef's name. Its alignment is 1, because arrays are valid only if the alignment divides the size."""
    return w.choice(["", "", "", " __attribute__((aligned(1)))"])


def union(w):
    text = w.fields(w.random.randint(1, 4), 1)
    name = w.name("t")
    w.typedefs.append(name)
    return f"typedef union {w.name('un') if w.maybe(0.5) else ''} {{\n{text}}}{w.attributes(0.2)} {name}{attributes_after(w)};\n"


def typedef_struct(w):
    text, name = w.fields(w.random.randint(1, 4)), w.name("t")
    tag = f"{w.name('tag')} " if w.maybe(0.5) else ""
    more, qualified = w.choice(["", "", f", *{name}_p", f", {name}_a[3]"]), ""
    if tag and not more:
        qualified = w.choice(["", "volatile ", "const "])
    attribute = "" if qualified else attributes_after(w) # gcc's DWARF does not have the qualifier of a typedef with an attribute
    w.typedefs.append(name)
    return f"typedef {qualified}struct {tag}{{\n{text}}}{w.attributes(0.2)} {name}{attribute}{more};\n"


def typedefs(w):
    name = w.name("t")
    text = w.choice([f"typedef {w.type()} {name};\n", f"typedef {w.type()} {name}{w.dimensions()};\n", f"typedef {w.type()} *{name};\n",
                     f"typedef int (*{name})(struct {w.name('incomplete')} *, int);\n", f"typedef u32 {name} ALIGNED(16);\n",
                     f"typedef {w.type()} {name}_0, *{name};\ntypedef {name}_0 {name}_1;\ntypedef {name}_1 {name}_2;\n",
                     f"typedef u64 {name} __attribute__((aligned(4)));\n", f"typedef int {name} __attribute__((mode(DI)));\n",
                     f"typedef struct {{ u32 a[4]; }} {name} ALIGNED(16);\n", f"typedef struct {{ u32 a; u8 b[4]; }} {name} ALIGNED(2);\n",
                     f"typedef struct {name}_tag {{ u64 a[2]; }} {name} __attribute__((aligned(4))), *{name}_p;\n"])
    w.typedefs.append(name)
    return text


def enums(w):
    form = w.random.random()
    if form < 0.4:
        return w.body("enum") + ";\n"
    if form < 0.8:
        return w.body(f"enum {w.choice(['', '', 'PACKED '])}{w.named_enum()}") + ";\n"
    name = w.name("t")
    w.typedefs.append(name)
    return f"typedef {w.body('enum')} {name};\n"


def macros(w):
    lines = []
    for _ in range(w.random.randint(1, 5)):
        name = w.name("K_").replace("$", "_")
        value = w.constant()
        if w.maybe(0.3):
            value = w.choice(["0xffffffff", "0x80000000", "(1 << 31)", "(~0ULL)", "0xfffffffffffffff0", "(-9223372036854775807LL - 1)", "1ULL<<40", "'ab'",
                              "((u32)-1)", "(u8)-1", '"text"', "1.5", "unsigned int", "((void *)0)", "undeclared_name", "(1 / 0)", "(", "{ 1, 2 }", "7:0",
                              "0b101", "010", "1'0"[0:1], "sizeof(struct no_such)", "", "do { } while (0)", "CAT(0x, ff)", "-", "NULL", "CHAR_BIT", "INT_MAX",
                              "true", "offsetof(struct s1, a)", "L'x'", "u'x'", "0x1p3", "(bool)7", "UINT64_C(5)", "linux", "__STDC_VERSION__", "__STDC_HOSTED__", "__x86_64__", "__SIZEOF_LONG__", "sizeof(long double)",
                              name, f"CAT({w.choice(w.enumerators)}, )", "(int)sizeof(char[LEN])", "/* of */ 3 // three", "4 /* in\n two lines */ + 1"])
        lines.append(f"#define {name} {value}\n")
        if w.maybe(0.1):  # not added to w.macros: the values of macros that use this one would differ as well
            lines.append(f"#define {name}_doubt " + w.choice(["(1 << 32)", "(3ULL << 64)", "(WIDTH << 33)", "(-9223372036854775808)", "9223372036854775808", "(1, 2)",
                                                             "(1 + (WIDTH, 2))", "(0x7fffffff + 1)", "(3 << 31)", "(1ULL << 63)", "(7 / (1 << 40))"]) + "\n")
        if w.maybe(0.1):
            lines.append(f"#undef {name}\n#define {name} {w.small()}\n")
        if w.maybe(0.05):
            lines.append(f"#define {name}F(x) ((x) + {name})\n#define {name}C {name}F(2)\n")
        w.macros.append(name)
    return "".join(lines)


def fields_from_file(w):
    name = w.name("s")
    inner = w.fields(w.random.randint(1, 4))
    form = w.random.random()
    if form < 0.15 and "\n#" not in inner:
        inner = inner.rstrip(";\n") + "\n"   # the includer has the last member's semicolon
        tail = ";\n"
    else:
        tail = ""
    w.records.append(name)
    path = w.file("fields", inner)
    if form > 0.85:
        return f"typedef struct\n{w.include(w.file('body', '{' + chr(10) + inner + (tail or '') + '}' + chr(10)))}{name}_t;\nstruct {name} {{ int a; }};\n"
    more = w.fields(1) if w.maybe(0.5) else ""
    return f"struct {name} {{\n{more}{w.include(path)}{tail}}};\n"


def attribute_from_file(w):
    name, more = w.record(), w.fields(2)
    path = w.file("attr", w.choice(["__attribute__((packed))\n", "PACKED\n", "/* none */\n", "ALIGNED(32)\n", "\n", ""]))
    return f"struct {name} {{\nchar c;\nint i;\n{more}}}\n{w.include(path)};\n"


def enumerators_from_file(w):
    listed = "".join(f"{w.enumerator()}{' = ' + w.small() if w.maybe(0.5) else ''},\n" for _ in range(w.random.randint(1, 4)))
    return f"enum {w.named_enum()} {{\n{w.include(w.file('values', listed))}{w.enumerator()}\n}};\n"


def value_from_file(w):
    return f"enum {{ {w.enumerator()} =\n{w.include(w.file('value', w.constant() + chr(10)))}}};\n"


def initializers_from_file(w):
    listed = "".join(f"{w.random.randint(0, 99)},\n" for _ in range(w.random.randint(1, 6)))
    name = w.name("table")
    return f"static const u16 {name}[] = {{\n{w.include(w.file('numbers', listed))}}};\n" \
           f"enum {{ {w.enumerator()} = sizeof({name}) / sizeof({name}[0]) }};\nstruct {w.record()} {{ char c[sizeof({name})]; }};\n"


def listed(w):
    """Include a list (an X macro) several times, with different definitions of its macro."""
    names = [w.name("x") for _ in range(w.random.randint(1, 4))]
    path = w.file("list", "".join(f"ENTRY({name}, {w.small()})\n" for name in names) + ("#undef ENTRY\n" if w.maybe(0.5) else ""))
    stem = f"{w.number()}_"
    include = w.include(path)
    return f"#undef ENTRY\n#define ENTRY(name, n) name##_{stem} = n,\nenum {w.named_enum()} {{\n{include}}};\n#undef ENTRY\n" \
           f"#define ENTRY(name, n) {w.choice(WHOLE)} name[n];\nstruct {w.record()} {{\n{include}}};\n#undef ENTRY\n"


def template(w):
    """Include a header without a guard. Its struct is named by a macro that the includer defines."""
    path = w.file("template", f"struct CAT(TYPE_NAME, _rec) {{\n{w.fields(2, 1)}TYPE_NAME value;\n}};\n#undef TYPE_NAME\n")
    names = w.random.sample(["u8", "u16", "u32", "u64", "i32"], 2)
    text = w.files[path].chunks[0]
    if re.search(r"enum|struct s|struct \w+ \{|E\d", text.split("{", 1)[1]):
        w.files[path].chunks = [f"struct CAT(CAT(TYPE_NAME, _rec), {w.number()}) {{\nTYPE_NAME value[2];\nchar c;\n}};\n#undef TYPE_NAME\n"]
        return "".join(f"#define TYPE_NAME {name}\n{w.include(path)}" for name in names)
    return f"#define TYPE_NAME {names[0]}\n{w.include(path)}"


def own_header(w):
    header = w.choice(sorted(OWN))
    return f"#{w.choice(['include', 'include', 'include_next'])} <{header}>\n"


def own_macro(w):
    header = w.choice(sorted(OWN))
    macro = w.choice(OWN[header])
    name, other = w.name("K_").replace("$", "_"), w.record()
    w.macros.append(name)
    body = {"offsetof": f"offsetof(struct {w.records[0]}, nothing)", "NULL": "(NULL == 0)", "bool": "sizeof(bool)", "va_start": "1", "alignas": "2", "and": "(3 and 4)",
            "bitor": "(1 bitor 2)", "INT32_C": "INT32_C(9)", "UINT64_C": "UINT64_C(10)"}.get(macro, macro)
    member = {"bool": "bool b;", "CHAR_BIT": "char c[CHAR_BIT];", "offsetof": "char o[offsetof(struct { int a, b; }, b)];", "alignas": "alignas(16) char c;",
              "SCHAR_MAX": "char c[SCHAR_MAX];", "UINT8_MAX": "uint8_t c[UINT8_MAX];"}.get(macro, "long l;")
    return f"#define {name} {body}\n#ifdef {macro}\nstruct {other} {{ {member} int i; }};\n#else\nstruct {other} {{ short {w.name('none')}; }};\n#endif\n"


def conditional(w):
    name = w.record()
    return f"#{w.condition()}\nstruct {name} {{\n{w.fields(2)}}};\n#{w.choice(['else', 'elif 1'])}\nstruct {name} {{\n{w.fields(1)}}};\n#endif\n"


def flag(w):
    name = f"HAVE_{w.number()}"
    w.flags.append(name)
    return f"#define {name}{w.choice(['', ' 1'])}\n"


def packing(w):
    n = w.choice(["1", "2", "4", "8"])
    begin, end = w.choice([(f"#pragma pack(push, {n})\n", "#pragma pack(pop)\n"), (f"#pragma pack({n})\n", "#pragma pack()\n"),
                           (f'_Pragma("pack(push, {n})")\n', '_Pragma("pack(pop)")\n'),
                           (f"#pragma pack(push)\n#pragma pack({n})\n", "#pragma pack(pop)\n"),
                           (w.include(w.file("push", f"#pragma pack(push, {n})\n")), w.include(w.file("pop", "#pragma pack(pop)\n"))),
                           (w.include(w.file("push", f'#define PACK_{n} _Pragma("pack(push, {n})")\nPACK_{n}\n')), "#pragma pack(pop)\n")])
    if w.maybe(0.2):
        return begin  # the end is in a different place, or is missing
    return f"{begin}{plain_struct(w)}{end}"


def pack_end(w):
    return w.choice(["#pragma pack(pop)\n", "#pragma pack()\n"])


def differing(w):
    """Return a construct that gcc and clang are known to lay out differently, or a similar one that they lay out in the same way."""
    n, name, t = w.choice(["1", "2", "4", "8"]), w.record(), w.name("t")
    inner = w.fields(1, 1)
    return w.choice([
        f"#define {t} {n}\n#pragma pack(push, {t})\n{plain_struct(w)}#pragma pack(pop)\nstruct {name} {{ char a; long b; }};\n",
        f'#define {t} {n}\n_Pragma("pack({t})")\n{plain_struct(w)}#pragma pack()\nstruct {name} {{ char a; long b; }};\n',
        f"struct {name} {{\n{inner}#pragma pack({n})\n{w.fields(1, 0)}}};\n#pragma pack()\n",
        f"struct {name} {{\n{inner}#pragma pack(push, {n})\nstruct {{\n{w.fields(2, 0)}}} in;\n#pragma pack(pop)\nlong last;\n}};\n",
        f"#pragma pack(push, 1)\n#pragma pack(push, 2)\n#pragma pack(pop, {n})\nstruct {name} {{\n{inner}}};\n#pragma pack()\n",
        f"#pragma pack({n}) {w.choice(['more', '/* more */', '// more', ';'])}\nstruct {name} {{\n{inner}}};\n#pragma pack()\n",
        f"#pragma {w.choice(['options align=packed', 'align=packed', 'ms_struct on'])}\nstruct {name} {{\n{inner}{w.bit_fields()}}};\n"
        f"#pragma options align=reset\n#pragma ms_struct off\n",
        f"{w.choice(['struct', 'union'])} __attribute__(({w.choice(['ms_struct', '__ms_struct__, packed', 'ms_struct, aligned(8)'])})) {name} {{\n{inner}{w.bit_fields()}}};\n",
        f"struct __attribute__(({w.choice(['packed', 'aligned(16)', 'deprecated'])})) {name};\nstruct {name} {{\n{inner}}};\n",
        f"struct __attribute__((aligned({n}))) {name} {{\n{inner}}} __attribute__((aligned({w.choice('148')}){w.choice([', packed', ''])}));\n",
        f"typedef {w.choice(WHOLE)} {t} __attribute__((aligned({n}), aligned({w.choice('248')})));\nstruct {name} {{ char c; {t} a; }};\n",
        f"typedef {w.choice(WHOLE)} {t} ALIGNED({n});\nstruct {name} {{ char c; {t} a : 1; {t} b : 1; {t} : 0; char d; {t} : 1; {t} e : 1; }}{w.attributes()};\n",
        f"struct {t} {{ char c[{w.choice(['1', '3', '4', '5', '8', '12', '16', '24'])}]; }};\nstruct {name} {{ char c; _Atomic(struct {t}) a[2]; {w.choice(['_Atomic(int) i;', '_Atomic(u8 *) p;', '_Atomic(u64) q;'])} }};\n",
        f"enum {{ {w.enumerator()} = {w.choice(['-9223372036854775808', '9223372036854775808', '-9223372036854775807LL - 1'])} }};\n"])


def pushed_macro(w):
    macro, record = w.choice(["LEN", "WIDTH", "PACKED", "u32", "HERE"]), w.record()
    value = {"PACKED": "", "u32": "u64", "HERE": "5"}.get(macro, w.choice(["1", "6", "2"]))
    return f'#pragma push_macro("{macro}")\n#undef {macro}\n#define {macro} {value}\nstruct {record} {{\nchar c[LEN]; u32 a : WIDTH; u32 b; char d[HERE % 50 + 1];\n}} PACKED;\n' \
           + ("" if w.maybe(0.15) else f'#pragma pop_macro("{macro}")\n') + \
           (f"struct {w.record()} {{ char c[LEN]; u32 b; }} PACKED;\n" if w.maybe(0.7) else "")


def declared_by_macro(w):
    name = w.name("s")
    text = f"DECLARE_STRUCT({name}) {{\n{w.fields(w.random.randint(1, 3), 1)}}}{w.choice([' ', chr(10), chr(10), ' /* packed next */' + chr(10)])}{w.choice(['END_STRUCT', 'END_PACKED', ';'])}\n"
    w.records.append(name)
    return text


def made_by_macro(w):
    stem, name = w.name("m").replace("$", ""), f"MAKE{w.number()}"
    w.records += [f"{stem}_a", f"{stem}_b"]
    return f"#define {name}(n, T) struct n##_a {{ T x; char y; }}; struct n##_b {{ struct n##_a in[2]; T z; enum {{ n##_E = sizeof(T) }} e; }}\n{name}({stem}, {w.choice(WHOLE)});\n"


def pasted(w):
    name = w.name("p").replace("$", "")
    w.records.append(name + "_9")
    return f"struct CAT({name}, _9) {{ u32 CAT(lo, {w.small()[0:1]}); char UNIQUE(line); }};\n"


def by_line(w):
    return w.choice([f"struct {w.record()} {{ char c[HERE]; }};\n", f"enum {{ {w.enumerator()} = HERE }};\n", f"struct UNIQUE(line_{w.number()}_) {{ char c[__LINE__]; int i; }};\n",
                     f"struct {w.record()} {{\nchar a[HERE];\nchar b[HERE];\n}};\n", f"enum {{ CAT({w.enumerator()}x, _) = __COUNTER__ + HERE }};\n"])


def in_expressions(w):
    inner, outer, member = w.record(), w.record(), w.name("v")
    e = w.enumerator()
    return w.choice([
        f"enum {{ {w.enumerator()} = sizeof(enum {{ {e} = {w.small()} }}) }};\n",
        f"enum {{ {w.enumerator()} = sizeof(struct {inner} {{ char c[{w.small()}]; int i; }}) }};\nstruct {outer} {{ struct {inner} in; }};\n",
        f"struct {outer} {{ char c[sizeof(struct {inner} {{ int a; struct {{ u64 q; }} n; }})]; struct {inner} in; }};\n",
        f"_Static_assert(sizeof(struct {inner} {{ u16 a; char b[{w.small()}]; }}), \"\");\nstruct {outer} {{ struct {inner} in[2]; }};\n",
        f"enum {{ {w.enumerator()} = __builtin_offsetof(struct {inner} {{ char a; u32 {member}; }}, {member}) }};\nstruct {outer} {{ struct {inner} in; }};\n",
        f"struct {outer} {{ int a; }} __attribute__((aligned(sizeof(struct {inner} {{ u32 a[4]; }}))));\n",
        f"enum {{ {w.enumerator()} = (enum {w.named_enum()} {{ {e} = 6 }})2 + {e} }};\nstruct {outer} {{ int i; }};\nstruct {inner} {{ int i; }};\n",
        f"enum {{ {w.enumerator()} = sizeof((struct {inner} {{ u16 a, b; }}){{ 0 }}) }};\nstruct {outer} {{ struct {inner} in; }};\n",
        f"typedef char {w.name('t')}[sizeof(struct {inner} {{ u64 a; char b; }})];\nstruct {outer} {{ struct {inner} in; }};\n",
        f"struct {inner} {{ int a; }} {w.name('function')}(void);\nstruct {outer} {{ struct {inner} in; }};\n",
        f"typedef struct {inner} {{ int a; }} *(*{w.name('t')})(int);\nstruct {outer} {{ struct {inner} in; }};\n",
        f"extern struct {inner} {{ u16 a; }} {w.name('variable')}[sizeof(enum {{ {e} = 4 }})];\nstruct {outer} {{ struct {inner} in; }};\n",
        f"#define K_{w.number()} sizeof(struct {{ u8 a[{w.small()}]; u32 b; }})\nstruct {inner} {{ int i; }};\nstruct {outer} {{ int i; }};\n",
    ])


def forward(w):
    name, other = w.name("s"), w.record()
    text = f"struct {name};\nstruct {other} {{ struct {name} *next; int a; }};\n"
    if w.maybe(0.2):
        text += f"typedef struct {name} {name};\n"
    if w.maybe(0.6):
        text += f"struct {name} {{ struct {other} back; u16 b; struct {name} *self; }};\n"
        w.records.append(name)
    return text


def redefined(w):
    macro = w.choice(["LEN", "WIDTH", "PACKED", "ALIGNED(n)", "END_STRUCT", "HERE", "DECLARE_STRUCT(name)"])
    value = {"PACKED": w.choice(["", "__attribute__((packed))", "__attribute__((packed, aligned(2)))"]), "ALIGNED(n)": w.choice(["", "__attribute__((aligned(n)))"]),
             "END_STRUCT": w.choice([";", "__attribute__((packed));"]), "HERE": w.choice(["__LINE__", "(__LINE__ + 1)", "9"]),
             "DECLARE_STRUCT(name)": w.choice(["struct name", "struct __attribute__((packed)) name"])}.get(macro, w.choice(["1", "2", "5", "6"]))
    return f"#undef {macro.split('(')[0]}\n#define {macro} {value}\n"


def undone(w):
    """Undefine a constant of an earlier header, make it invalid or change its value."""
    if not w.macros:
        return flag(w)
    name = w.choice(w.macros)
    return w.choice([f"#undef {name}\n", f"#undef {name}\n#define {name} {w.constant()}\n", f"#undef {name}\n#define {name} (1 +\n",
                     f"#ifdef {name}\n#undef {name}\n#define {name} nothing_known\n#endif\n"])


def has_include(w):
    name, there = w.record(), w.choice(sorted(w.files))
    below = there.split("/", 1)[1]
    missing = w.choice([f"later{w.random.randint(1, 3)}.h", "sub/none.h"])
    w.missing.append(missing)
    what = w.choice([f'"{below}"', f"<{below}>", f'"../{there}"', '"no/such.h"', "<stdio.h>", "<stdarg.h>", '"../inc/none.h"', "<limits.h>", f'"../inc/{missing}"', f"<{missing}>"])
    test = w.choice([f"#if __has_include({what})\n", f"#ifdef __has_include\n#if __has_include({what})\n#define FOUND_{name[1:]} 1\n#endif\n#endif\n#ifdef FOUND_{name[1:]}\n",
                     f"#if defined(__has_include) && __has_include({what})\n", f"#ifndef __has_include\n#define __has_include(x) 0\n#endif\n#if __has_include({what})\n",
                     f"#if 0\n#elif __has_include({what}) // there\n", f"#if __has_include_next(<{below}>)\n", f"#if !defined NEVER && (__has_include({what}) ? 1 : 0)\n"])
    return f"{test}struct {name} {{ u64 there; }};\n#else\nstruct {name} {{ u8 absent; }};\n#endif\n"


def next_header(w):
    stem = f"layer{w.number()}.h"
    w.files[f"inc/{stem}"] = File([plain_struct(w)])
    w.files[f"api/sub/{stem}"] = File(["/* not this one */\n"])
    w.files[f"api/over/{stem}"] = File([f"struct {w.record()} {{ int over; }};\n"])
    w.files[f"inc/over/{stem}"] = File([f"struct {w.record()} {{ long under; }};\n"])
    # <over/x.h> is found in api first, and includes the one in inc
    w.files[f"api/over/{stem}"].chunks.append(f"#include_next <over/{stem}>\n")
    return f"#include <over/{stem}>\n#include <{stem}>\n"


def dead_text(w):
    return w.choice(["#if 0\nit's an \"unbalanced text\n#error it does not matter\n#include \"nowhere.h\"\n# 12 nonsense\n#endif\n",
                     "/* #include \"nowhere.h\"\n * struct dead { int a; };\n // */\n", "// comment \\\nstruct dead { int a; };\n", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n#ifdef __cplusplus\n}\n#endif\n",
                     "#if 0 /* struct { */\n#else // }\n#endif\n", "/*/ struct dead { int b; }; /*/\n", "#define QUOTE '\"'\n#define QUOTES \"/*\"\n", "#ifndef __GNUC__\n#error what now?\n'\n#endif\n",
                     "//* struct dead {\n", "/* ** \\\n/ struct dead { */\n", "#if 1\n#elif it's \"nonsense\n#endif\n", "/* *\\\n/\n", "// ??/\nstruct %s { int trigraph; };\n" % w.record(), ";\n", "\f\n\v\n",
                     "#\n# /* null directive */\n", "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wall\"\n#pragma GCC diagnostic pop\n", "#ident \"text\"\n", "#warning it's fine\n",
                     "#if 0\n#if 1\n#else\n#endif\n#elif 0\n#endif\n", "struct %s; // \"\n" % w.name("incomplete"), "#pragma GCC system_header\n", "__extension__ typedef long long %s;\n" % w.name("t"),
                     "#line 200\n", "#line 77 \"elsewhere.h\"\n", "# 30 \"elsewhere.h\" 3\n", "static inline int %s(int a)\n{\n\tstruct { int x; } l = { a };\n\treturn l.x;\n}\n" % w.name("function"),
                     "int %s(u32 a, struct %s *b);\n" % (w.name("function"), w.name("incomplete")), "/* é \u2028 名 */\n", "/* a\0b */\n",
                     "/* \udce9t\udce9 */ // \udcff\n", "static inline int %s(void)\n{\n\tstruct %s { long local[3]; };\n\tenum { %s = sizeof(struct %s) };\n\treturn 0;\n}\n"
                     % (w.name("function"), w.choice(w.records or ["s0"]), w.name("LOCAL"), w.choice(w.records or ["s0"]))])


def odd_record(w):
    return w.choice([f"struct {w.record()} {{ }};\n", f"struct {w.record()} {{ int : 0; }};\n", f"struct {w.record()} {{ struct {{ int a; }}; union {{ int b; struct {{ char c, d; }}; }}; }};\n",
                     f"struct {w.record()} {{ int n; struct {{ int a; }} f[]; }};\n", f"struct {w.record()} {{ struct {{ int x; }} a, b[2]; }};\n",
                     f"union {w.name('un')} {{ struct {{ u8 lo : 4, hi : 4; }}; u8 all; }};\n", f"struct {w.record()} {{ int a; }} PACKED, *{w.name('variable')};\n".replace("struct", "extern struct"),
                     f"struct {w.record()} {{ char a; long b : 40; int c : 3; }} PACKED;\n", f"struct {w.record()} {{ __typeof__(long) a; char b[0]; int c; }};\n",
                     f"#define renamed other_{w.number()}\nstruct {w.record()} {{ int renamed; }};\n#undef renamed\n", f"enum {w.name('later')};\nstruct {w.record()} {{ int a; }};\n",
                     f"struct __attribute__((ms_struct)) {w.record()} {{ char a : 3; int b : 4; short c; }};\n", f"struct {w.record()} {{ const char *const a[2][3]; void (*b[2])(void); }};\n",
                     f"typedef struct {w.name('same')} same_{w.number()};\nstruct {w.record()} {{ double _Complex c; float f; }};\n",
                     f"struct {w.record()} {{ char a; u64 b __attribute__((packed, aligned(2))); u16 c ALIGNED(8); }};\n"])


def evil(w):
    return w.choice(["#define const\n", "#define volatile\n", "#define inline\n", "#define __attribute__(x)\n", "#undef __attribute__\n", "#define packed packed\n", "#define aligned(n) aligned(n)\n",
                     "#undef const\n#undef volatile\n", "#define s1 s1\n", "#define true 1\n", "#define CHAR_BIT 8\n", "#define api api\n", "#define h h\n", "#define int short\n", "#undef int\n", "#define unsigned signed\n", "#undef unsigned\n", "#define sizeof(x) 7\n", "#undef sizeof\n",
                     "#undef __CHAR_BIT__\n#define __CHAR_BIT__ 16\n", "#undef linux\n", f"#define struct union\nstruct {w.name('un')} {{ int a; long b; }};\n#undef struct\n",
                     f"#define enum struct\nenum {w.record()} {{ int a; }};\n#undef enum\n"])


CHUNKS = {plain_struct: 10, union: 3, typedef_struct: 5, typedefs: 5, enums: 5, macros: 8, fields_from_file: 5, attribute_from_file: 3,
          enumerators_from_file: 2, value_from_file: 1, initializers_from_file: 2, listed: 2, template: 2, own_header: 3, own_macro: 4, conditional: 4,
          flag: 3, packing: 4, pack_end: 1, pushed_macro: 2, declared_by_macro: 3, made_by_macro: 2, pasted: 2, by_line: 3, in_expressions: 4,
          forward: 2, redefined: 3, undone: 3, has_include: 3, next_header: 1, dead_text: 5, odd_record: 4, evil: 1}


def chunk(w):
    """Return a random chunk, sometimes disguised."""
    write = w.random.choices(list(w.kinds), w.kinds.values())[0]
    text = write(w)
    return disguised(w, text) if "disguises" in w.oddities and w.maybe(0.4) else text


TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*.*?\*/|//[^\n]*|[^\W\d]\w*|\.?\d\w*|##|\s+|.', re.S)
DIGRAPHS = {"{": "<%", "}": "%>", "[": "<:", "]": ":>", "#": "%:", "##": "%:%:"}


def disguised(w, text):
    """Return a text that means the same to a compiler, with digraphs, spliced lines, comments or universal character names."""
    kind = w.choice(["digraphs", "splices", "comments", "names", "all"])
    lines = []
    for line in text.split("\n"):
        if "include" in line or "__LINE__" in line or "HERE" in line or "UNIQUE" in line or line.endswith("\\") or '"' in line and "#" in line:
            lines.append(line)
            continue
        tokens = TOKEN.findall(line)
        for index, token in enumerate(tokens):
            if kind in ("digraphs", "all") and token in DIGRAPHS and w.maybe(0.5):
                tokens[index] = DIGRAPHS[token]
            elif kind in ("names", "all") and not token.isascii() and token.isidentifier():
                tokens[index] = "".join(one if one.isascii() else f"\\u{ord(one):04x}" for one in token)
            elif kind in ("splices", "all") and w.maybe(0.08) and not token.startswith(("/", "'", '"')) and token.isascii():
                at = w.random.randint(0, len(token))
                tokens[index] = token[:at] + "\\" + w.choice(["", "", " ", "\t"]) + "\n" + token[at:]
            elif kind in ("comments", "all") and token == " " and w.maybe(0.1):
                tokens[index] = w.choice([" /* ; */ ", "/**/", " /* } */", "/* it's */", "\t", " \f"] + ([] if line.lstrip().startswith("#") else [" // { \\\n }\n"]))
        lines.append("".join(tokens))
    return "\n".join(lines)


def guarded(w, path, chunks):
    """Return a header's chunks with a random kind of include guard."""
    name = re.sub(r"\W", "_", path.upper())
    form = w.choice(["plain", "plain", "comment", "if", "once", "undone", "none", "indent", "late", "twice", "pragma", "else"]
                    if "guards" in w.oddities else ["plain", "plain", "none"])
    if form == "plain":
        return [f"#ifndef {name}\n#define {name}\n", *chunks, "#endif\n"]
    if form == "comment":
        return [f"#ifndef {name} /* ifdef __cplusplus */\n#define {name} /* {{ */\n", *chunks, f"#endif /* {name} \" */\n"]
    if form == "if":
        return [f"#if !defined({name}) && !defined __cplusplus\n#define {name} 1\n", *chunks, "#endif\n"]
    if form == "once":
        return ["#pragma once\n", *chunks]
    if form == "pragma":
        return ['_Pragma("once")\n', *chunks]
    if form == "indent":
        return [f"/* head */\n  #  ifndef {name}\n\t#define {name}\n", *chunks, "  # endif\n"]
    if form == "late":
        return [f"#ifndef {name}\n", *chunks, f"#define {name}\n#endif\n"]
    if form == "undone":
        return [f"#ifndef {name}\n#define {name}\n", *chunks, f"#endif\n#undef {name}\n"]
    if form == "twice":
        return [f"#ifdef {name}\n#else\n#define {name}\n", *chunks, "#endif\n"]
    if form == "else":
        return [f"#ifndef {name}\n#define {name}\n", *chunks, f"#else\nstruct {w.name('again')};\n#endif\n"]
    return chunks
