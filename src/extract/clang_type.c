#include "extract/clang_type.h"

CXType type_underlying(CXType type)
{
	return clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type));
}

CXType type_plain(CXType type)
{
	for (;;) {
		if (type.kind == CXType_Elaborated)
			type = clang_Type_getNamedType(type);
		else if (type.kind == CXType_Attributed)
			type = clang_Type_getModifiedType(type);
		else
			return type;
	}
}

bool type_is_array(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

bool type_is_unsigned(CXType type)
{
	switch (clang_getCanonicalType(type).kind) {
	case CXType_Bool:
	case CXType_Char_U:
	case CXType_UChar:
	case CXType_UShort:
	case CXType_UInt:
	case CXType_ULong:
	case CXType_ULongLong:
		return true;
	default:
		return false;
	}
}

bool type_is_reference(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference;
}
