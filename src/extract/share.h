/*
 * extract/share.h - what the trees of one run have in common
 *
 * Layer L2, inside extract/. The versions of a driver are read one after the
 * other, or by several threads at once, and most of their texts are the same.
 * Here it is kept what each text is (its digest), which others it could
 * depend on by a name, and what clang made of each header in surroundings
 * that decide it (a piece).
 *
 * All functions may be called by several threads. What they return lives as
 * long as the share.
 */
#ifndef EXTRACT_SHARE_H
#define EXTRACT_SHARE_H

#include "extract/digest.h"
#include "extract/extract.h"
#include "extract/hashes.h"
#include "extract/macros.h"
#include "extract/nvoc.h"
#include "extract/roles.h"

#include <pthread.h>

/* That a text speaks of a name to which another one gives a meaning. */
struct share_link {
	uint32_t text;
	uint32_t seen; /* #includes of the speaker that stand before it first does so */
	bool guard;    /* one is guarded by a name to which the other one gives a meaning, too */
	bool unguards; /* that is, undefines it */
};

/* A text at a path in a unit. Two versions that have the same have one. */
struct share_text {
	const char *path;
	struct digest digest;
	uint64_t id[2];  /* hash of unit, path and content id */
	uint32_t number; /* among all */
	/* All below is only for the holder of the lock. */
	struct share_link *links;
	size_t link_count, link_capacity;
	bool speaks_pasting;      /* of a macro that pastes, itself or through another one, as far as that was looked at */
	size_t pasting_looked_at; /* how many such macros were known then */
	uint32_t stamp, place;    /* of the last one who marked it */
	const char *bytes;        /* the text, if it is kept */
	size_t size;
	bool was_read;            /* once, so that it is worth keeping the next time */
};

/* What is made of a profile, and used by one thread at a time. */
struct share_tools {
	struct macro_rules *rules;
	struct roles roles;
	struct arena arena; /* for both */
	struct share_tools *next;
};

/* What decides a piece: the header, and all that it could depend on. */
struct share_key {
	uint64_t half[2];
};

enum share_state { SHARE_ABSENT, SHARE_BEING_MADE, SHARE_MADE };

/* What one header contributes to a document. */
struct share_piece {
	struct abi part;            /* sealed; no ioctls */
	const struct macro *macros; /* in the order of names */
	size_t macro_count;
};

struct extract_share {
	pthread_mutex_t lock;
	pthread_cond_t changed;      /* a piece was made, or was given up */
	const char *distrust;        /* why nothing is shared any more; NULL */
	uint64_t work;               /* of all walks, see decl_members() */
	struct arena own;            /* for the holder of the lock */
	struct share_arena *arenas;
	struct share_text **texts;   /* by number */
	size_t text_count, text_capacity;
	size_t link_count;           /* of all texts */
	struct share_node *nodes;    /* uthash, by id */
	struct share_name *names;    /* open addressing, by hash */
	size_t name_count, name_mask;
	struct share_user *users;    /* the lists of all names */
	size_t user_count, user_capacity;
	struct digest_mention *mentions; /* of all texts */
	size_t mention_count, mention_capacity;
	struct share_tools *idle;    /* tools that nobody uses */
	size_t kept_bytes;           /* of texts */
	struct share_bytes *bytes;   /* open addressing: what share_bytes() has */
	size_t bytes_count, bytes_mask;
	struct digest_names pasting; /* macros that paste, themselves or through others, in the order in which that was found */
	size_t pasting_capacity;
	struct hashes pasting_set;   /* the same */
	struct share_entry *pieces;  /* uthash, by key */
	struct share_table *tables;  /* uthash, by id */
	uint32_t stamp;
};

/* share_arena - an arena that lives as long as the share, for the caller alone. */
struct arena *share_arena(struct extract_share *share);

/* share_borrow - tools for the caller alone, until share_give_back(). Return: 0; ERR_FORMAT as of macro_rules_new(). */
int share_borrow(struct share_tools **out, struct extract_share *share, const struct profile *profile, struct err *err);
void share_give_back(struct extract_share *share, struct share_tools *tools);

void share_lock(struct extract_share *share);
void share_unlock(struct extract_share *share);

/* share_distrust - from now on nothing is shared. */
void share_distrust(struct extract_share *share, const char *why);

/* share_text_id - of a text; @content: its content id. */
void share_text_id(uint64_t id[2], const char *unit, const char *path, const char *content);
/* share_find_text - NULL if it was not added. */
struct share_text *share_find_text(struct extract_share *share, const uint64_t id[2]);
/**
 * share_add_text - make a text known, and link it with those that are
 * @text:  zero but for path, digest and id; path and digest live as long as the share
 * @salt:  the unit's: texts of two units have nothing to do with each other
 *
 * Return: it, or another thread's.
 */
struct share_text *share_add_text(struct extract_share *share, struct share_text text, uint64_t salt);

/* share_look_pasting - with the lock held: does @text speak of a macro that pastes? */
bool share_look_pasting(struct extract_share *share, struct share_text *text);

/*
 * share_claim - with the lock held: what is the state of a piece? One that
 * was absent is being made by the caller from now on.
 */
enum share_state share_claim(struct extract_share *share, const struct share_key *key);
/* share_publish - with the lock held: a claimed piece is made; NULL: it is given up. */
void share_publish(struct extract_share *share, const struct share_key *key, const struct share_piece *piece);
/*
 * share_wait - with the lock held, which is let go meanwhile: a piece that was
 * made, if need be when another thread has made it; NULL: that one gave it up.
 */
const struct share_piece *share_wait(struct extract_share *share, const struct share_key *key);

/*
 * share_kept, share_keep - the bytes of a text, which many versions may ask
 * for. share_kept() returns NULL if they are not kept; share_keep() may find
 * that there is no room.
 */
const char *share_kept(struct extract_share *share, struct share_text *text, size_t *size);
void share_keep(struct extract_share *share, struct share_text *text, const char *bytes, size_t size);

/* share_bytes, share_string - with the lock held: the same for all who ask for equal bytes. */
const void *share_bytes(struct extract_share *share, const void *bytes, size_t size);
const char *share_string(struct extract_share *share, const char *text);

/* share_keep_piece - a copy of a piece that lives as long as the share. */
void share_keep_piece(struct share_piece *out, struct extract_share *share, const struct abi *part, const struct macro *macros,
		      size_t macro_count);

/* share_keep_document - the same for a document that was joined from such pieces, and whose ioctls live elsewhere. */
void share_keep_document(struct abi *abi, struct extract_share *share);

/* The exported methods of one file, whichever version it is of. */
const struct nvoc_methods *share_find_table(struct extract_share *share, const uint64_t id[2]);
/* share_add_table - @methods is copied. */
void share_add_table(struct extract_share *share, const uint64_t id[2], const struct nvoc_methods *methods);

#endif
