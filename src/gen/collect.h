/*
 * gen/collect.h - numbers and names while a file is collected
 *
 * Inside the room.
 */
#ifndef GEN_COLLECT_H
#define GEN_COLLECT_H

#include "gen/gen.h"

struct definitions;
struct number;
struct number_group;

/* The types of a file while they are collected: of a proxy for Go, else the driver's. */
struct collect_types {
	enum gen_language language;
	struct proxytype_set *proxy;     /* of Go; else NULL */
	struct definitions *definitions; /* of the others */
};

/* collect_types_has - is a type called so? */
bool collect_types_has(const struct collect_types *types, const char *name);

/* Constants in groups, by name; one that has another value in a later version is one more constant. */
struct numbers {
	struct arena *arena;
	struct number_group *groups; /* hash, in the order of their first use */
};

/* numbers_ioctl_name - the ioctl's name; of a macro with parameters, "EVIOCGBIT(ev,len)", what stands before them. It may be in @arena. */
const char *numbers_ioctl_name(const struct abi_ioctl *ioctl, struct arena *arena);

/* Names are of letters, digits and '_', as collect_is_name() says. */
void numbers_add_ioctl(struct numbers *numbers, const struct abi_ioctl *ioctl, const char *version);
void numbers_add_constant(struct numbers *numbers, const struct abi_constant *constant, const char *version);
void numbers_add_enum(struct numbers *numbers, const struct abi_enum *one, const char *version);

/* numbers_groups - sets the constants of @out; no name is there twice, nor one that a type of @types has. */
void numbers_groups(struct gen_file *out, const struct numbers *numbers, const struct collect_types *types);
void numbers_release(struct numbers *numbers);

/* collect_is_name - can Go call something by it? */
bool collect_is_name(const char *name);

/* collect_package - @asked, or what the style calls its package, or the driver's name. Return: 0; ERR_USAGE. */
int collect_package(const char **out, const char *asked, enum gen_style style, const char *driver, struct arena *arena, struct err *err);

#endif
