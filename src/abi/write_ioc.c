#include "abi/write_layout.h"

#include "abi/ioc.h"

void json_write_ioc(struct json_writer *writer, const struct abi_ioctl *ioctl)
{
	if (!abi_ioctl_is_encoded(ioctl))
		return;
	json_key(writer, "ioc");
	json_open_object(writer);
	json_key_string(writer, "direction", abi_ioc_direction_name(abi_ioc_get(ioctl->number, ABI_IOC_DIRECTION)));
	json_key_unsigned(writer, "type", abi_ioc_get(ioctl->number, ABI_IOC_TYPE));
	json_key_unsigned(writer, "nr", abi_ioc_get(ioctl->number, ABI_IOC_NR));
	json_key_unsigned(writer, "size", abi_ioc_get(ioctl->number, ABI_IOC_SIZE));
	json_key_string(writer, "known_by", ioctl->encoding == ABI_NUMBER_IOC_BY_NR ? "nr" : "number");
	if (ioctl->argument)
		json_key_string(writer, "argument", ioctl->argument);
	if (ioctl->varies) {
		json_key(writer, "varies");
		json_open_array(writer);
		for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++)
			if (ioctl->varies >> i & 1)
				json_string(writer, abi_ioc_field_name((enum abi_ioc_field)i));
		json_close_array(writer);
	}
	json_close_object(writer);
}
