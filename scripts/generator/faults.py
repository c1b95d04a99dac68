"""Plant faults in drvabi's documents, one at a time, and check that the comparison finds each of them."""
import copy
import json

from dwarf.faults import document_of, self_test
from generator.case import bytes_of
from generator.judge import differences, history_differences, judge_output
from generator.witness import witness
from generator.case import DEFAULT_PROFILE

SAMPLE = {"api/a.h": bytes_of("""#include <limits.h>
typedef unsigned int NvU32; typedef NvU32 row_t[8];
enum colour { RED = -1, GREEN };
typedef struct A_tag { NvU32 a; NvU32 t[4][2]; struct { NvU32 x; union { int y; void *z; }; } e[3]; row_t rows[2]; } A;
typedef volatile struct { NvU32 lo:3, hi:29; NvU32 tail[]; } B;
union U { enum colour c; void (*call)(int, const char *); struct A_tag *a; };
struct params {
#include "fields.h"
};
enum { Q = sizeof(enum { LEN = 5 }) };
#define K_BITS CHAR_BIT
#define K_NEGATIVE (-1)
#define K_LARGE 0xffffffffffffffff
#define K_TEXT "text"
"""), "inc/fields.h": b"int a;\n"}


def change_constant(name, value):
    return lambda document: document["constants"].update({name: value})


FAULTS = {
    "a constant's value": change_constant("K_BITS", 7),
    "a constant's sign": change_constant("K_NEGATIVE", 4294967295),
    "high bits of a constant": change_constant("K_LARGE", "0x7fffffffffffffff"),
    "-1 for a large constant": change_constant("K_LARGE", -1),
    "a macro that is not an integer, extracted as a constant": change_constant("K_TEXT", 1),
    "a constant that is not in the headers": change_constant("K_OTHER", 1),
    "a constant lost": lambda document: document["constants"].pop("K_BITS"),
    "a warning lost": lambda document: document["warnings"].clear(),
    "an enumerator in an expression lost": lambda document: document["enums"].pop("::LEN_t"),
}


def whole_document(facts):
    """Return the document that drvabi should extract, according to gcc's @facts."""
    document = document_of(facts)
    document["constants"] = {name: min(values) for name, values in facts.constants.items()}
    document["warnings"] = [{"place": "a.h:1", "text": name} for name in sorted(facts.no_constants)]
    for name, value in facts.loose.items():
        document["enums"][f"::{name}_t"] = {"type": "unsigned int", "size": 4, "values": {name: value}, "source": name}
    return document


def found_faults(facts):
    document = whole_document(facts)
    yield "no difference in a correct document", not differences(document, facts)
    for fault, plant in FAULTS.items():
        mutant = copy.deepcopy(document)
        plant(mutant)
        yield fault, bool(differences(mutant, facts))
    right = json.dumps(document).encode()
    document["records"]["params"]["size"] += 1
    wrong = json.dumps(document).encode()
    yield "no difference in a correct document from an archive", not judge_output("1.0", "archive", (0, right, ""), facts, right)
    yield "a different document from the archive", bool(judge_output("1.0", "archive", (0, wrong, ""), facts, right))
    reported = {**document, "warnings": document["warnings"] + [{"place": "a.h:1", "text": "K_BITS is another number to gcc."}]}
    yield "a wrong layout, although a constant has a warning about gcc", bool(differences(reported, facts))
    yield "the same facts, but different bytes", bool(judge_output("1.0", "archive", (0, right + b"\n", ""), facts, right))
    yield "a wrong layout in a document of one version", bool(judge_output("1.0", "alone", (0, wrong, ""), facts, None))
    yield "a version that could not be read", bool(judge_output("1.0", "alone", (2, b"", "no"), facts, None))
    yield "an empty output", bool(judge_output("1.0", "alone", (0, b"", ""), facts, None))


def found_in_history(base, following):
    reported = [{"version": "1.1", "name": "params"}]
    all_facts = [("1.0", base), ("1.1", following)]
    yield "no difference in a correct history", not history_differences(reported, all_facts)
    yield "a step that history does not report", bool(history_differences([], all_facts))
    yield "no difference in the history if a warning says that the layouts are clang's", not history_differences([], all_facts, {"1.1"})


def check():
    """Yield (fault, whether it was found)."""
    base = witness(SAMPLE, DEFAULT_PROFILE)
    following = witness({**SAMPLE, "inc/fields.h": b"long a;\n"}, DEFAULT_PROFILE)
    yield from found_faults(base)
    yield from found_in_history(base, following)
    passed, failed = self_test([("sample", document_of(base), without_loose(base))])
    yield f"{passed} faults of a layout, a name or a type", not failed


def without_loose(facts):
    facts = copy.copy(facts)
    facts.loose = {}
    return facts
