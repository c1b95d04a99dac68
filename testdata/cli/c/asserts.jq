# asserts.jq - C that compares sizeof and offsetof of all named records of a document with the document
#
# With a header of `drvabi show --format c --expand` before it, it compiles if and only if the two agree.
# Fields of unnamed records are compared by their paths. $names: only these records; null: all.
. as $abi
| def tag(name): if $abi.records[name].is_union then "union " + name else "struct " + name end;
  def base: sub("\\[.*$"; "");
  def is_inline: contains("::");
  # fields(RECORD; PATH; OFFSET): [path, offset] of each field that has a name and no bits
  def fields($record; $path; $at):
    $abi.records[$record].fields[]
    | . as $field
    | ($path + (if .name == "" then "" else .name end)) as $here
    | ($at + .offset) as $offset
    | (if .name != "" and (has("bit_width") | not) then [$here, $offset] else empty end),
      (if (.type | base | is_inline) and ($abi.records[.type | base]) and (.type | contains("[]") | not)
       then fields(.type | base; $here + (.type | ltrimstr($field.type | base) | gsub("\\[[0-9]+\\]"; "[0]")) + (if .name == "" then "" else "." end); $offset)
       else empty end);
  # bits(RECORD): [name, bit_offset, bit_width] of its own bit-fields
  def bits($record):
    $abi.records[$record].fields[] | select(has("bit_width") and .name != "") | [.name, .bit_offset, .bit_width];
  "#include <stddef.h>",
  "#include <string.h>",
  ($abi.records | keys[] | select(is_inline | not) | select($names == null or (. as $one | $names | index($one)))
   | . as $record
   | "_Static_assert(sizeof(\(tag($record))) == \($abi.records[$record].size), \"size of \($record)\");",
     "_Static_assert(_Alignof(\(tag($record))) == \($abi.records[$record].align), \"alignment of \($record)\");",
     (fields($record; ""; 0) | "_Static_assert(offsetof(\(tag($record)), \(.[0])) == \(.[1]), \"offset of \($record).\(.[0])\");"))
  ,
  "#define BITS(record, field, first, width) do { record r; unsigned char *b = (unsigned char *)&r; size_t set = 0, at = 0; \\",
  "  memset(&r, 0, sizeof(r)); r.field = (__typeof__(r.field + 0))-1; \\",
  "  for (size_t i = sizeof(r) * 8; i--;) if (b[i / 8] >> i % 8 & 1) { at = i; set++; } \\",
  "  if (at != first || set != width) return 1; } while (0)",
  "int main(void)",
  "{",
  ($abi.records | keys[] | select(is_inline | not) | select($names == null or (. as $one | $names | index($one)))
   | . as $record | bits($record) | "BITS(\(tag($record)), \(.[0]), \(.[1]), \(.[2]));"),
  "return 0;",
  "}"
