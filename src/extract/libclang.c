/* extract/libclang.c - loads libclang when it is needed, and forwards calls to it */
#include "extract/internal.h"

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/*
 * A program that is linked with libclang and libLLVM takes 25 ms longer to start, because of their 600,000
 * relocations. Most commands only read existing documents and do not need libclang. So this file defines each
 * libclang function that the program calls, and forwards the call through a pointer from dlsym(). The
 * compiler checks each definition against its prototype in clang-c/.
 */
#define CALLS(ROW)                                                                                           \
	ROW(CXCompilationDatabase, clang_CompilationDatabase_fromDirectory,                                  \
	    (const char *a, CXCompilationDatabase_Error *b), (a, b))                                         \
	ROW(CXCompileCommands, clang_CompilationDatabase_getCompileCommands,                                 \
	    (CXCompilationDatabase a, const char *b), (a, b))                                                \
	ROW(void, clang_CompilationDatabase_dispose, (CXCompilationDatabase a), (a))                         \
	ROW(CXString, clang_CompileCommand_getArg, (CXCompileCommand a, unsigned b), (a, b))                 \
	ROW(CXString, clang_CompileCommand_getDirectory, (CXCompileCommand a), (a))                          \
	ROW(CXString, clang_CompileCommand_getFilename, (CXCompileCommand a), (a))                           \
	ROW(unsigned, clang_CompileCommand_getNumArgs, (CXCompileCommand a), (a))                            \
	ROW(void, clang_CompileCommands_dispose, (CXCompileCommands a), (a))                                 \
	ROW(CXCompileCommand, clang_CompileCommands_getCommand, (CXCompileCommands a, unsigned b), (a, b))   \
	ROW(unsigned, clang_CompileCommands_getSize, (CXCompileCommands a), (a))                             \
	ROW(CXEvalResult, clang_Cursor_Evaluate, (CXCursor a), (a))                                          \
	ROW(long long, clang_Cursor_getOffsetOfField, (CXCursor a), (a))                                     \
	ROW(unsigned, clang_Cursor_isAnonymous, (CXCursor a), (a))                                           \
	ROW(unsigned, clang_Cursor_isBitField, (CXCursor a), (a))                                            \
	ROW(unsigned, clang_Cursor_isMacroFunctionLike, (CXCursor a), (a))                                   \
	ROW(CXTranslationUnit, clang_Cursor_getTranslationUnit, (CXCursor a), (a))                           \
	ROW(int, clang_Cursor_isNull, (CXCursor a), (a))                                                     \
	ROW(void, clang_EvalResult_dispose, (CXEvalResult a), (a))                                           \
	ROW(long long, clang_EvalResult_getAsLongLong, (CXEvalResult a), (a))                                \
	ROW(unsigned long long, clang_EvalResult_getAsUnsigned, (CXEvalResult a), (a))                       \
	ROW(CXEvalResultKind, clang_EvalResult_getKind, (CXEvalResult a), (a))                               \
	ROW(unsigned, clang_EvalResult_isUnsignedInt, (CXEvalResult a), (a))                                 \
	ROW(int, clang_Location_isFromMainFile, (CXSourceLocation a), (a))                                   \
	ROW(int, clang_Location_isInSystemHeader, (CXSourceLocation a), (a))                                 \
	ROW(int, clang_TargetInfo_getPointerWidth, (CXTargetInfo a), (a))                                    \
	ROW(void, clang_TargetInfo_dispose, (CXTargetInfo a), (a))                                           \
	ROW(CXString, clang_TargetInfo_getTriple, (CXTargetInfo a), (a))                                     \
	ROW(long long, clang_Type_getAlignOf, (CXType a), (a))                                               \
	ROW(CXType, clang_Type_getModifiedType, (CXType a), (a))                                             \
	ROW(CXType, clang_Type_getNamedType, (CXType a), (a))                                                \
	ROW(long long, clang_Type_getSizeOf, (CXType a), (a))                                                \
	ROW(CXType, clang_Type_getValueType, (CXType a), (a))                                                \
	ROW(unsigned, clang_Type_visitFields, (CXType a, CXFieldVisitor b, CXClientData c), (a, b, c))       \
	ROW(CXIndex, clang_createIndex, (int a, int b), (a, b))                                              \
	ROW(void, clang_disposeDiagnostic, (CXDiagnostic a), (a))                                            \
	ROW(void, clang_disposeIndex, (CXIndex a), (a))                                                      \
	ROW(void, clang_disposeString, (CXString a), (a))                                                    \
	ROW(void, clang_disposeTokens, (CXTranslationUnit a, CXToken * b, unsigned c), (a, b, c))            \
	ROW(void, clang_disposeTranslationUnit, (CXTranslationUnit a), (a))                                  \
	ROW(void, clang_disposeSourceRangeList, (CXSourceRangeList * a), (a))                                \
	ROW(unsigned, clang_equalCursors, (CXCursor a, CXCursor b), (a, b))                                  \
	ROW(unsigned, clang_equalLocations, (CXSourceLocation a, CXSourceLocation b), (a, b))                \
	ROW(unsigned, clang_equalTypes, (CXType a, CXType b), (a, b))                                        \
	ROW(CXType, clang_getArgType, (CXType a, unsigned b), (a, b))                                        \
	ROW(CXType, clang_getArrayElementType, (CXType a), (a))                                              \
	ROW(long long, clang_getArraySize, (CXType a), (a))                                                  \
	ROW(const char *, clang_getCString, (CXString a), (a))                                               \
	ROW(CXType, clang_getCanonicalType, (CXType a), (a))                                                 \
	ROW(CXString, clang_getClangVersion, (void), ())                                                     \
	ROW(CXCursor, clang_getCursorDefinition, (CXCursor a), (a))                                          \
	ROW(CXSourceRange, clang_getCursorExtent, (CXCursor a), (a))                                         \
	ROW(CXCursor, clang_getCursor, (CXTranslationUnit a, CXSourceLocation b), (a, b))                    \
	ROW(CXCursor, clang_getCursorSemanticParent, (CXCursor a), (a))                                      \
	ROW(CXSourceLocation, clang_getCursorLocation, (CXCursor a), (a))                                    \
	ROW(CXString, clang_getCursorSpelling, (CXCursor a), (a))                                            \
	ROW(CXType, clang_getCursorType, (CXCursor a), (a))                                                  \
	ROW(CXDiagnostic, clang_getDiagnostic, (CXTranslationUnit a, unsigned b), (a, b))                    \
	ROW(CXSourceLocation, clang_getDiagnosticLocation, (CXDiagnostic a), (a))                            \
	ROW(CXString, clang_getDiagnosticOption, (CXDiagnostic a, CXString * b), (a, b))                     \
	ROW(enum CXDiagnosticSeverity, clang_getDiagnosticSeverity, (CXDiagnostic a), (a))                   \
	ROW(CXString, clang_getDiagnosticSpelling, (CXDiagnostic a), (a))                                    \
	ROW(unsigned long long, clang_getEnumConstantDeclUnsignedValue, (CXCursor a), (a))                   \
	ROW(long long, clang_getEnumConstantDeclValue, (CXCursor a), (a))                                    \
	ROW(CXType, clang_getEnumDeclIntegerType, (CXCursor a), (a))                                         \
	ROW(void, clang_getExpansionLocation,                                                                \
	    (CXSourceLocation a, CXFile * b, unsigned *c, unsigned *d, unsigned *e), (a, b, c, d, e))        \
	ROW(int, clang_getFieldDeclBitWidth, (CXCursor a), (a))                                              \
	ROW(void, clang_getFileLocation,                                                                     \
	    (CXSourceLocation a, CXFile * b, unsigned *c, unsigned *d, unsigned *e), (a, b, c, d, e))        \
	ROW(CXFile, clang_getFile, (CXTranslationUnit a, const char *b), (a, b))                             \
	ROW(const char *, clang_getFileContents, (CXTranslationUnit a, CXFile b, size_t *c), (a, b, c))      \
	ROW(CXString, clang_getFileName, (CXFile a), (a))                                                    \
	ROW(void, clang_getInclusions, (CXTranslationUnit a, CXInclusionVisitor b, CXClientData c),          \
	    (a, b, c))                                                                                       \
	ROW(CXSourceLocation, clang_getLocationForOffset, (CXTranslationUnit a, CXFile b, unsigned c),       \
	    (a, b, c))                                                                                       \
	ROW(CXSourceRangeList *, clang_getSkippedRanges, (CXTranslationUnit a, CXFile b), (a, b))            \
	ROW(CXCursor, clang_getNullCursor, (void), ())                                                       \
	ROW(CXSourceLocation, clang_getNullLocation, (void), ())                                             \
	ROW(int, clang_getNumArgTypes, (CXType a), (a))                                                      \
	ROW(unsigned, clang_getNumDiagnostics, (CXTranslationUnit a), (a))                                   \
	ROW(CXType, clang_getPointeeType, (CXType a), (a))                                                   \
	ROW(CXSourceLocation, clang_getRangeEnd, (CXSourceRange a), (a))                                     \
	ROW(CXSourceLocation, clang_getRangeStart, (CXSourceRange a), (a))                                   \
	ROW(CXType, clang_getResultType, (CXType a), (a))                                                    \
	ROW(CXString, clang_getTokenSpelling, (CXTranslationUnit a, CXToken b), (a, b))                      \
	ROW(CXCursor, clang_getTranslationUnitCursor, (CXTranslationUnit a), (a))                            \
	ROW(CXTargetInfo, clang_getTranslationUnitTargetInfo, (CXTranslationUnit a), (a))                    \
	ROW(CXCursor, clang_getTypeDeclaration, (CXType a), (a))                                             \
	ROW(CXString, clang_getTypeSpelling, (CXType a), (a))                                                \
	ROW(CXType, clang_getTypedefDeclUnderlyingType, (CXCursor a), (a))                                   \
	ROW(CXString, clang_getTypedefName, (CXType a), (a))                                                 \
	ROW(unsigned, clang_isConstQualifiedType, (CXType a), (a))                                           \
	ROW(unsigned, clang_isCursorDefinition, (CXCursor a), (a))                                           \
	ROW(unsigned, clang_isFunctionTypeVariadic, (CXType a), (a))                                         \
	ROW(unsigned, clang_isRestrictQualifiedType, (CXType a), (a))                                        \
	ROW(unsigned, clang_isVolatileQualifiedType, (CXType a), (a))                                        \
	ROW(enum CXErrorCode, clang_parseTranslationUnit2,                                                   \
	    (CXIndex a, const char *b, const char *const *c, int d, struct CXUnsavedFile *e, unsigned f,     \
	     unsigned g, CXTranslationUnit *h),                                                              \
	    (a, b, c, d, e, f, g, h))                                                                        \
	ROW(void, clang_tokenize, (CXTranslationUnit a, CXSourceRange b, CXToken * *c, unsigned *d),         \
	    (a, b, c, d))                                                                                    \
	ROW(unsigned, clang_visitChildren, (CXCursor a, CXCursorVisitor b, CXClientData c), (a, b, c))

#define POINTER(type, name, parameters, arguments) __typeof__(&name) name;
#define SLOT(type, name, parameters, arguments) { #name, &calls.name },
#define FORWARD(type, name, parameters, arguments) type name parameters { return calls.name arguments; }

static struct {
	CALLS(POINTER)
} calls;

static const struct {
	const char *name;
	void *pointer;
} slots[] = { CALLS(SLOT) };

CALLS(FORWARD)

static int find_calls(void *library, struct err *err)
{
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		void *found = dlsym(library, slots[i].name);

		if (!found)
			return err_set(err, ERR_IO,
				       "libclang is not the one that this program was built for: %s",
				       dlerror());
		memcpy(slots[i].pointer, &found, sizeof(found));
	}
	return 0;
}

int libclang_load(struct err *err)
{
	static void *library;
	static bool is_whole;

	if (is_whole)
		return 0;
	if (!library && !(library = dlopen(LIBCLANG_DIR "/" LIBCLANG_NAME, RTLD_LAZY)) &&
	    !(library = dlopen(LIBCLANG_NAME, RTLD_LAZY)))
		return err_set(err, ERR_IO, "libclang, which reads the headers, cannot be loaded: %s",
			       dlerror());
	is_whole = !find_calls(library, err);
	return is_whole ? 0 : ERR_IO;
}

const char *libclang_identity(struct arena *arena)
{
	struct stat status;

	if (stat(LIBCLANG_DIR "/" LIBCLANG_NAME, &status))
		return NULL;
	return arena_printf(arena, LIBCLANG_NAME " of %lld bytes, from %lld.%09ld", (long long)status.st_size,
			    (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}
