/*
 * abi/ast_parser.h - documents printed by gVisor's driver_ast_parser
 *
 * Layer L2, internal to json/. That tool prints "records", "aliases" and "constants" with no
 * "format"; its fields have no size, its records no alignment. A size follows
 * from the type, because the tool also prints the size of every record and
 * of every alias that a field names. Two of its faults are undone here: it
 * puts the outermost of several dimensions last, and then does not print
 * the element type of the array.
 */
#ifndef ABI_AST_PARSER_H
#define ABI_AST_PARSER_H

#include "abi/dom.h"

struct ast_parser;

/**
 * ast_parser_new - look up sizes of the names in a document
 * @records, @aliases: its members, both accepted as objects
 *
 * Adds aliases that follow from those which are there to @builder.
 */
int ast_parser_new(struct ast_parser **out, const struct json_value *records, const struct json_value *aliases,
		   struct abi_builder *builder, struct arena *arena, struct err *err);

/**
 * ast_parser_field - size and spelling of a field
 * @type: the member "type"
 * @field: type and size_bits are set
 *
 * ERR_FORMAT if neither records nor aliases say what the type is.
 */
int ast_parser_field(struct abi_field *field, const struct ast_parser *parser, const struct json_value *type,
		     struct arena *arena, struct err *err);

#endif
