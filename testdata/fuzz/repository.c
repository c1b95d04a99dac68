/*
 * repository - read a git repository with objects and references made from the input
 *
 * The target writes loose objects byte by byte. Trees can therefore have names
 * and modes that git would not write, commits can refer to missing objects, and
 * object headers can have wrong sizes. Most objects are valid, so that the
 * objects that they refer to are read, too. The target does not check for
 * leaks, because libgit2 leaks memory on damaged objects.
 */
#include "lib/fuzz.h"

#include "source/internal.h"
#include "source/source.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OBJECTS_MAX = 12, ENTRIES_MAX = 5, REFS_MAX = 6 };

/* struct forge - the repository that is being written */
struct forge {
	struct fuzz_choice *choice;
	char dir[64];
	git_oid ids[OBJECTS_MAX];
	git_object_t types[OBJECTS_MAX];
	unsigned count;
};

static void write_file(const char *dir, const char *name, const void *data, size_t size)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	MUST((file = fopen(path, "w")) && fwrite(data, 1, size, file) == size && !fclose(file));
}

/* add_zlib - append @bytes as a zlib stream of one uncompressed block */
static void add_zlib(struct strbuf *out, const struct strbuf *bytes)
{
	uint32_t a = 1, b = 0;
	size_t size = bytes->length;
	char head[] = { 0x78, 0x01, 0x01, (char)size, (char)(size >> 8), (char)~size, (char)(~size >> 8) };
	char tail[4];

	MUST(size <= UINT16_MAX);
	for (size_t i = 0; i < size; i++) {
		a = (a + (unsigned char)bytes->text[i]) % 65521;
		b = (b + a) % 65521;
	}
	strbuf_add(out, head, sizeof(head));
	strbuf_add(out, strbuf_text(bytes), size);
	for (int i = 0; i < 4; i++)
		tail[i] = (char)((b << 16 | a) >> (24 - 8 * i));
	strbuf_add(out, tail, sizeof(tail));
}

/* damage - change a byte or cut off the end, in one file of eight */
static void damage(struct strbuf *bytes, struct fuzz_choice *choice)
{
	unsigned how = fuzz_pick(choice, 16);

	if (how == 1 && bytes->length)
		bytes->text[fuzz_number(choice) % bytes->length] ^= (char)(1 + fuzz_pick(choice, 255));
	else if (how == 2)
		bytes->length = fuzz_number(choice) % (bytes->length + 1);
}

static void write_object(struct forge *forge, git_object_t type, const struct strbuf *body)
{
	struct strbuf raw = { 0 }, packed = { 0 };
	char hex[GIT_OID_HEXSZ + 1], path[80];
	unsigned long long size = body->length;
	git_oid *id = &forge->ids[forge->count];

	MUST(!git_odb_hash(id, strbuf_text(body), body->length, type));
	git_oid_tostr(hex, sizeof(hex), id);
	if (fuzz_pick(forge->choice, 16) == 3)
		size = fuzz_number(forge->choice);
	strbuf_addf(&raw, "%s %llu", git_object_type2string(type), size);
	strbuf_add(&raw, "", 1);
	strbuf_add(&raw, strbuf_text(body), body->length);
	add_zlib(&packed, &raw);
	damage(&packed, forge->choice);
	snprintf(path, sizeof(path), "%s/objects/%.2s", forge->dir, hex);
	mkdir(path, 0700);
	write_file(path, hex + 2, strbuf_text(&packed), packed.length);
	forge->types[forge->count++] = type;
	strbuf_release(&packed);
	strbuf_release(&raw);
}

/* pick_object - get a recent object, mostly of @type. Return: the id of no object if there are none. */
static const git_oid *pick_object(const struct forge *forge, git_object_t type)
{
	static const git_oid none = { { 0xab } };
	unsigned start = fuzz_pick(forge->choice, 4), any = fuzz_pick(forge->choice, 16) == 1;

	for (unsigned i = forge->count; i--;)
		if ((any || forge->types[i] == type) && !start--)
			return &forge->ids[i];
	return forge->count ? &forge->ids[forge->count - 1] : &none;
}

static void add_blob(struct strbuf *body, struct forge *forge)
{
	static const char *const texts[] = { "int a;\n", "#include \"b.h\"\n", "a.h", "../inc", "inc/deep", "/etc/passwd", "", ".." };

	strbuf_adds(body, texts[fuzz_pick(forge->choice, 8)]);
	for (unsigned left = fuzz_pick(forge->choice, 8); left; left--)
		strbuf_addf(body, "%c", (char)fuzz_pick(forge->choice, 256));
}

static void add_tree(struct strbuf *body, struct forge *forge)
{
	static const char *const names[] = { "a.h", "inc", "deep", "b.h", "..", ".", "", ".git", "a/b", "*", "a\n", "\xff", "\x1b[2J", "inc", "a.h", "link" };
	static const char *const modes[] = { "100644", "40000", "100755", "120000", "160000", "100664", "0", "7777777777777777", "10x", "040000" };

	for (unsigned left = 1 + fuzz_pick(forge->choice, ENTRIES_MAX); left; left--) {
		const char *mode = modes[fuzz_pick(forge->choice, 10)];
		const git_oid *id;

		id = pick_object(forge, mode[0] == '4' || mode[1] == '4' ? GIT_OBJECT_TREE : GIT_OBJECT_BLOB);
		strbuf_addf(body, "%s %s", mode, names[fuzz_pick(forge->choice, 16)]);
		strbuf_add(body, "", 1);
		strbuf_add(body, id->id, fuzz_pick(forge->choice, 32) == 1 ? 7 : sizeof(id->id));
	}
}

static void add_line(struct strbuf *body, struct forge *forge, const char *key, git_object_t type)
{
	char hex[GIT_OID_HEXSZ + 1];

	git_oid_tostr(hex, sizeof(hex), pick_object(forge, type));
	if (fuzz_pick(forge->choice, 32) == 1)
		hex[fuzz_pick(forge->choice, GIT_OID_HEXSZ)] = 'x';
	strbuf_addf(body, "%s %s\n", key, hex);
}

static void add_commit(struct strbuf *body, struct forge *forge)
{
	add_line(body, forge, "tree", GIT_OBJECT_TREE);
	for (unsigned parents = fuzz_pick(forge->choice, 3); parents; parents--)
		add_line(body, forge, "parent", GIT_OBJECT_COMMIT);
	strbuf_addf(body, "author A <a@b> %llu +0000\n", (unsigned long long)fuzz_number(forge->choice));
	strbuf_addf(body, "committer A <a@b> %llu %s\n\n", (unsigned long long)fuzz_number(forge->choice),
		    fuzz_pick(forge->choice, 16) == 1 ? "+99999999" : "+0000");
	strbuf_adds(body, "message\n");
}

static void add_tag(struct strbuf *body, struct forge *forge)
{
	static const git_object_t types[] = { GIT_OBJECT_COMMIT, GIT_OBJECT_TAG, GIT_OBJECT_TREE, GIT_OBJECT_BLOB };
	git_object_t type = types[fuzz_pick(forge->choice, 4)];

	add_line(body, forge, "object", type);
	strbuf_addf(body, "type %s\ntag 1.0\ntagger A <a@b> 0 +0000\n\nmessage\n", git_object_type2string(type));
}

static void add_object(struct forge *forge)
{
	static const git_object_t types[] = { GIT_OBJECT_BLOB, GIT_OBJECT_TREE, GIT_OBJECT_COMMIT, GIT_OBJECT_TAG };
	static void (*const add[])(struct strbuf *, struct forge *) = { add_blob, add_tree, add_commit, add_tag };
	unsigned kind = forge->count < 3 ? forge->count : fuzz_pick(forge->choice, 4);
	struct strbuf body = { 0 };

	add[kind](&body, forge);
	write_object(forge, types[kind], &body);
	strbuf_release(&body);
}

/* add_references - write HEAD and packed-refs, also with references that git would not write */
static void add_references(struct forge *forge)
{
	static const char *const names[] = { "refs/tags/1.0", "refs/tags/2.0", "refs/tags/10.0", "refs/heads/main", "refs/tags/a b", "refs/tags/",
					     "refs/tags/1.0^{}", "refs/../x", "refs/tags/\x1b[2J", "nothing" };
	static const char *const heads[] = { "ref: refs/heads/main\n", "ref: refs/heads/gone\n", "ref: ref: HEAD", "", "0123\n", "ref: refs/tags/../x\n" };
	const char *head = heads[fuzz_pick(forge->choice, 6)];
	struct strbuf packed = { 0 };
	char hex[GIT_OID_HEXSZ + 1];

	strbuf_adds(&packed, fuzz_pick(forge->choice, 4) ? "# pack-refs with: peeled fully-peeled sorted \n" : "");
	for (unsigned left = 1 + fuzz_pick(forge->choice, REFS_MAX); left; left--) {
		git_oid_tostr(hex, sizeof(hex), pick_object(forge, fuzz_pick(forge->choice, 4) ? GIT_OBJECT_COMMIT : GIT_OBJECT_TAG));
		strbuf_addf(&packed, "%s %s\n", hex, names[fuzz_pick(forge->choice, 10)]);
		if (fuzz_pick(forge->choice, 8) == 1)
			strbuf_addf(&packed, "^%s\n", hex);
	}
	damage(&packed, forge->choice);
	write_file(forge->dir, "packed-refs", strbuf_text(&packed), packed.length);
	write_file(forge->dir, "HEAD", head, strlen(head));
	strbuf_release(&packed);
}

static void make_dir(const char *dir, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	MUST(!mkdir(path, 0700));
}

static void forge_repository(struct forge *forge)
{
	static const char config[] = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
	const char *temp = getenv("TMPDIR");

	snprintf(forge->dir, sizeof(forge->dir), "%s/fuzz-XXXXXX", temp && strlen(temp) < 40 ? temp : "/tmp");
	MUST(mkdtemp(forge->dir));
	make_dir(forge->dir, "objects");
	make_dir(forge->dir, "refs");
	write_file(forge->dir, "config", config, strlen(config));
	for (unsigned left = 3 + fuzz_pick(forge->choice, OBJECTS_MAX - 2); left; left--)
		add_object(forge);
	add_references(forge);
}

static void remove_all(const char *dir)
{
	DIR *open = opendir(dir);
	struct dirent *entry;
	char path[512];

	MUST(open);
	while ((entry = readdir(open))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (entry->d_type == DT_DIR)
			remove_all(path);
		else
			MUST(!unlink(path));
	}
	closedir(open);
	MUST(!rmdir(dir));
}

/* check_file - check the path and the text of a file, and that a second read returns the same text */
static void check_file(struct tree *tree, const char *path)
{
	const char *text, *again, *real;
	struct err err = { "" };
	size_t size, size_again;

	MUST(*path && *path != '/' && !strstr(path, "//") && !strstr(path, "../"));
	if (tree->ops->read(tree, path, &text, &size, &err)) {
		fuzz_sentence(&err);
		return;
	}
	MUST(text[size] == '\0');
	MUST(!tree->ops->read(tree, path, &again, &size_again, &err) && again == text && size_again == size);
	if (tree_real(tree, path, &real, &err))
		fuzz_sentence(&err);
	tree_forget(tree, path);
}

static void read_tree(struct source *source, const char *version)
{
	static const char *const patterns[] = { "*", "inc/*", "inc/deep/b.h", "*/*.h", "a.h/../a.h" };
	const char **paths = NULL;
	size_t count = 0, begin;
	struct err err = { "" };
	struct tree *tree;
	char hex[41];

	if (source_tree(&tree, source, version, &err)) {
		fuzz_sentence(&err);
		return;
	}
	MUST(strlen(tree->commit) == 40);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		begin = count;
		if (tree->ops->glob(tree, patterns[i], &paths, &count, &err))
			fuzz_sentence(&err);
		for (size_t at = begin; at < count; at++) {
			MUST(at == begin || strcmp(paths[at - 1], paths[at]) < 0);
			check_file(tree, paths[at]);
		}
	}
	if (tree->ops->id(tree, "inc", hex, &err))
		fuzz_sentence(&err);
	else
		MUST(strlen(hex) == 40);
	free(paths);
	tree_free(tree);
}

/* check_graph - check that versions are sorted, and that no version is its own ancestor */
static void check_graph(const struct source_graph *graph)
{
	for (size_t i = 0; i < graph->count; i++) {
		size_t steps = 0;

		MUST(!i || abi_version_compare(graph->versions[i - 1].name, graph->versions[i].name) <= 0);
		MUST(strlen(graph->versions[i].commit) == 40);
		for (long at = graph->versions[i].parent; at != SOURCE_NO_PARENT; at = graph->versions[at].parent)
			MUST(at >= 0 && (size_t)at < graph->count && steps++ < graph->count);
	}
}

static void read_all(const char *dir)
{
	struct source *source;
	struct arena arena = { 0 };
	struct err err = { "" };
	struct source_graph graph;
	const char *const *names;
	size_t count;

	if (source_open(&source, dir, NULL, &err)) {
		fuzz_sentence(&err);
		return;
	}
	if (source_versions(&names, &count, source, &arena, &err))
		fuzz_sentence(&err);
	else
		for (size_t i = 0; i < count; i++)
			read_tree(source, names[i]);
	if (source_graph(&graph, source, &arena, &err))
		fuzz_sentence(&err);
	else
		check_graph(&graph);
	read_tree(source, "main");
	read_tree(source, "HEAD~1");
	source_free(source);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	struct forge forge = { .choice = &choice };
	struct err err = { "" };

	MUST_SAY(!git_setup(&err), &err);
	forge_repository(&forge);
	read_all(forge.dir);
	remove_all(forge.dir);
	return 0;
}
