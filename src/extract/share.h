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

/*
 * One of clang's own headers, which is in no version, has a path like
 * "<stddef.h>", and is there twice.
 */
enum share_own {
	SHARE_NOT_OWN,
	SHARE_OWN_MACROS, /* it has its macros */
	SHARE_OWN_OTHERS, /* it has what else it gives a meaning to */
};

/* A text at a path in a unit. Two versions that have the same have one. */
struct share_text {
	const char *path;
	struct digest digest;
	uint64_t id[2];  /* hash of unit, path and content id */
	uint64_t path_hash;
	enum share_own own;
	uint32_t number; /* among all */
	/* All below is only for the holder of the lock. */
	struct share_link *links;
	size_t link_count, link_capacity;
	bool speaks_pasting;      /* of a macro that pastes, itself or through another one, as far as that was looked at */
	size_t pasting_looked_at; /* how many such macros were known then */
	uint64_t *imports;        /* names that it speaks of or gives a meaning to, to which texts of other paths give one */
	size_t import_count, import_capacity;
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

enum share_state {
	SHARE_ABSENT,
	SHARE_BEING_MADE,
	SHARE_MADE,
	SHARE_COARSE, /* it must not be found by this key: see plan_coarsen() */
	SHARE_PLACED, /* it says where in other files things stand, and is kept under keys that know: see plan_place() */
};

/* What one header contributes to a document. */
struct share_piece {
	struct abi part;            /* sealed; no ioctls */
	const struct macro *macros; /* in the order of names */
	size_t macro_count;
};

/* What one chunk of a header declares, where it stands on a line and in a column that its key knows. */
struct share_part {
	struct abi part;  /* as of a share_piece */
	uint32_t line;    /* on which the chunk starts in there */
};

struct extract_share {
	pthread_mutex_t lock;
	pthread_cond_t changed;      /* a piece was made, or was given up */
	/*
	 * Who adds a text holds this and the lock. So who holds one of them, and be it for reading, may look
	 * at texts, who speaks of what, and who gives what a meaning; stamps are for the lock alone.
	 */
	pthread_rwlock_t names_lock;
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
	struct share_predefined *predefined; /* of each unit for which that was asked */
	struct share_tools *idle;    /* tools that nobody uses */
	size_t kept_bytes;           /* of texts */
	/* The holder of kept_lock, who may hold the other lock as well and must not ask for it, has these. */
	pthread_mutex_t kept_lock;
	struct arena kept;
	struct share_bytes *bytes;   /* open addressing: what share_bytes() has */
	size_t bytes_count, bytes_mask;
	struct digest_names pasting; /* macros that paste, themselves or through others, in the order in which that was found */
	size_t pasting_capacity;
	struct hashes pasting_set;   /* the same */
	struct share_entry *pieces;  /* uthash, by key */
	struct share_chunk *parts;   /* uthash, by key */
	struct share_made *made;     /* uthash, by id */
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
 * @text:  zero but for path, path_hash, own, digest and id; path and digest live as long as the share
 * @salt:  the unit's: texts of two units have nothing to do with each other
 *
 * Return: it, or another thread's.
 */
struct share_text *share_add_text(struct extract_share *share, struct share_text text, uint64_t salt);

/* share_find_predefined - with the lock held: names of macros that are defined before a unit is read; NULL if they were not added. */
const struct hashes *share_find_predefined(const struct extract_share *share, uint64_t salt);
/* share_add_predefined - @names goes to the share. */
void share_add_predefined(struct extract_share *share, uint64_t salt, struct hashes names);

/* share_look_pasting - with the lock held: does @text speak of a macro that pastes? */
bool share_look_pasting(struct extract_share *share, struct share_text *text);

/*
 * share_claim - with the lock held: what is the state of a piece? One that
 * was absent is being made by the caller from now on.
 */
enum share_state share_claim(struct extract_share *share, const struct share_key *key);
/* share_publish - with the lock held: a piece is made, claimed or not; NULL: it is given up. */
void share_publish(struct extract_share *share, const struct share_key *key, const struct share_piece *piece);
/* share_publish_coarse - with the lock held: the claimed piece is not made by this key, nor by anyone. */
void share_publish_coarse(struct extract_share *share, const struct share_key *key);
/* share_publish_placed - with the lock held: the claimed piece says where things stand in the files with these hashes of paths. */
void share_publish_placed(struct extract_share *share, const struct share_key *key, const uint64_t *paths, size_t count);
/* share_places - with the lock held: the paths of a SHARE_PLACED key. */
const uint64_t *share_places(size_t *count, struct extract_share *share, const struct share_key *key);
/*
 * share_wait - with the lock held, which is let go meanwhile: a piece that was
 * made, if need be when another thread has made it; NULL: that one gave it up,
 * or @state is SHARE_COARSE or SHARE_PLACED.
 */
const struct share_piece *share_wait(enum share_state *state, struct extract_share *share, const struct share_key *key);

/* Who gives a meaning to a name: a walk through all texts that do. */
struct share_meaners {
	struct extract_share *share;
	uint32_t at;
};
struct share_meaner {
	const struct share_text *text;
	uint32_t chunk; /* as of a digest_meaning */
};
/* share_meaners - with the lock or names_lock held, and for as long; @name: as of an import, or a digest's name, with the unit's salt. */
struct share_meaners share_meaners(struct extract_share *share, uint64_t name);
/* share_next_meaner - Return: false if there is none left. */
bool share_next_meaner(struct share_meaner *out, struct share_meaners *meaners);
/* share_salted - a digest's name as one of an import. */
static inline uint64_t share_salted(uint64_t name, uint64_t salt)
{
	return name ^ salt;
}

/*
 * share_kept, share_keep - the bytes of a text, which many versions may ask
 * for. share_kept() returns NULL if they are not kept; share_keep() may find
 * that there is no room.
 */
const char *share_kept(struct extract_share *share, struct share_text *text, size_t *size);
void share_keep(struct extract_share *share, struct share_text *text, const char *bytes, size_t size);

/* share_bytes, share_string - with kept_lock held: the same for all who ask for equal bytes. */
const void *share_bytes(struct extract_share *share, const void *bytes, size_t size);
const char *share_string(struct extract_share *share, const char *text);

/* share_keep_piece - a copy of a piece that lives as long as the share. */
void share_keep_piece(struct share_piece *out, struct extract_share *share, const struct abi *part, const struct macro *macros,
		      size_t macro_count);

/* share_find_part - with the lock held: NULL if there is none. */
const struct share_part *share_find_part(struct extract_share *share, const struct share_key *key);
/* share_add_part - @part is copied. */
void share_add_part(struct extract_share *share, const struct share_key *key, const struct share_part *part);

/* share_keep_document - the same for a document that was joined from such pieces, and whose ioctls live elsewhere. */
void share_keep_document(struct abi *abi, struct extract_share *share);

/*
 * What was made of one file, whichever version it is of: share_add_made() may
 * find that another thread was first. It lives as long as the share, and who
 * asks for it knows what it is.
 */
const void *share_find_made(struct extract_share *share, const uint64_t id[2]);
void share_add_made(struct extract_share *share, const uint64_t id[2], const void *made);

/* share_keep_methods - a copy that lives as long as the share. */
const struct nvoc_methods *share_keep_methods(struct extract_share *share, const struct nvoc_methods *methods);

#endif
