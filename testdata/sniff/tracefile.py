"""Read and write traces ("drvabi-trace/1") as Python dicts. This implementation shares no code with drvabi.

A message is a dict with the keys of the workload's log: kind, fd_path, fd, ret, error, pid, tid, request, argument, before and after (bytes, or None
if they were not recorded), memory, fds, open_flags, map_size, map_protection, map_flags, map_offset, mode, device, size, version, target, command, start_ns, end_ns.
"""
import struct

KINDS = {0: "ioctl", 1: "open", 2: "mmap", 3: "file"}
NUMBERS = {"ioctl": 0, "open": 1, "mmap": 2, "file": 3}


class Damaged(Exception):
    pass


# --- protobuf ---------------------------------------------------------------------------

def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number_field(number, value):
    return varint(number << 3) + varint(value) if value else b""


def bytes_field(number, value):
    return varint(number << 3 | 2) + varint(len(value)) + value


def read_varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Damaged(f"truncated number at byte {at} of a message")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, at
        shift += 7


def fields(data):
    """Yield (field number, value) for each field of a message. The value is an int or bytes."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 0:
            value, at = read_varint(data, at)
        elif key & 7 == 2:
            size, at = read_varint(data, at)
            if at + size > len(data):
                raise Damaged(f"field {key >> 3} is longer than its message")
            value = data[at:at + size]
            at += size
        else:
            raise Damaged(f"field {key >> 3} has wire type {key & 7}, but a trace uses only 0 and 2")
        yield key >> 3, value


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


# --- messages ---------------------------------------------------------------------------

def pack_memory(memory):
    out = number_field(1, memory["address"])
    for number, key in (2, "before"), (3, "after"):
        if memory[key] is not None:
            out += bytes_field(number, memory[key])
    if memory["size"] != len(memory["before"] or b""):
        out += number_field(4, memory["size"])
    return out


def pack(message):
    """Encode a message, with its length before it."""
    kind = message.get("kind", "ioctl")
    out = b""
    if kind == "header":
        for number, key in (13, "version"), (14, "target"), (15, "command"):
            out += bytes_field(number, message.get(key, "").encode())
    else:
        out += bytes_field(1, message["fd_path"].encode())
        out += number_field(2, message.get("request", 0)) + number_field(3, message["ret"])
        if message.get("after") is not None:
            out += bytes_field(4, message["after"])
        for number, key in (5, "error"), (6, "pid"), (7, "tid"), (8, "start_ns"), (9, "end_ns"):
            out += number_field(number, message.get(key, 0))
        if message.get("before") is not None:
            out += bytes_field(10, message["before"])
        for memory in message.get("memory", []):
            out += bytes_field(11, pack_memory(memory))
        out += number_field(12, message.get("argument", 0)) + number_field(16, NUMBERS[kind])
        if kind == "open":
            out += number_field(17, message["open_flags"])
        if kind == "mmap":
            out += number_field(17, message["map_size"]) + number_field(18, message["map_protection"] | message["map_flags"] << 32)
            out += number_field(19, message["map_offset"])
        if kind == "file":
            out += number_field(17, message["mode"]) + number_field(18, message["device"]) + number_field(19, message["size"])
        out += varint(20 << 3) + varint(message["fd"])
        for fd in message.get("fds", []):
            out += bytes_field(21, number_field(1, fd["number"]) + bytes_field(2, fd["path"].encode()))
    return struct.pack("<Q", len(out)) + out


def unpack_memory(data):
    memory = {"address": 0, "before": None, "after": None, "size": None}
    changed_at = None
    for number, value in fields(data):
        if number == 5:
            changed_at = value
        else:
            memory[{1: "address", 2: "before", 3: "after", 4: "size"}[number]] = value
    if changed_at is not None:
        before, changed = memory["before"], memory["after"]
        memory["after"] = before[:changed_at] + changed + before[changed_at + len(changed):]
    if memory["size"] is None:
        memory["size"] = len(memory["before"] or memory["after"] or b"")
    return memory


def unpack_descriptor(data):
    fd = {"number": 0, "path": ""}
    for number, value in fields(data):
        if number == 1:
            fd["number"] = signed(value, 64)
        elif number == 2:
            fd["path"] = value.decode()
    return fd


def unpack(data):
    names = {2: "request", 4: "after", 8: "start_ns", 9: "end_ns", 10: "before", 12: "argument", 6: "pid", 7: "tid"}
    message = {"kind": "header", "request": 0, "ret": 0, "error": 0, "pid": 0, "tid": 0, "before": None, "after": None, "argument": 0, "fd": -1,
               "memory": [], "fds": []}
    kind, arguments = 0, {17: 0, 18: 0, 19: 0}
    for number, value in fields(data):
        if number in names:
            message[names[number]] = value
        elif number in (3, 5, 20):
            message[{3: "ret", 5: "error", 20: "fd"}[number]] = signed(value, 32)
        elif number in (1, 13, 14, 15, 22, 23):
            message[{1: "fd_path", 13: "version", 14: "target", 15: "command", 22: "lacks", 23: "caller"}[number]] = value.decode()
        elif number == 11:
            message["memory"].append(unpack_memory(value))
        elif number == 21:
            message["fds"].append(unpack_descriptor(value))
        elif number == 16:
            kind = value
        elif number in arguments:
            arguments[number] = value
        else:
            raise Damaged(f"unknown field {number}")
    if "fd_path" in message:
        message["kind"] = KINDS[kind]
        if kind == 1:
            message["open_flags"] = arguments[17]
        elif kind == 2:
            message.update(map_size=arguments[17], map_protection=arguments[18] & 0xFFFFFFFF, map_flags=arguments[18] >> 32, map_offset=arguments[19])
        elif kind == 3:
            message.update(mode=arguments[17], device=arguments[18], size=arguments[19])
    return message


def read(path):
    """Return all messages of a trace, including the header."""
    with open(path, "rb") as file:
        data = file.read()
    at, messages = 0, []
    while at < len(data):
        if at + 8 > len(data):
            raise Damaged(f"{path}: truncated length at offset {at}")
        size, = struct.unpack_from("<Q", data, at)
        if at + 8 + size > len(data):
            raise Damaged(f"{path}: truncated message at offset {at}")
        try:
            messages.append(unpack(data[at + 8:at + 8 + size]))
        except Damaged as error:
            raise Damaged(f"{path}: the message at offset {at}: {error}") from None
        at += 8 + size
    return messages


# --- text ---------------------------------------------------------------------------------

def from_text(line):
    """Convert a line of a log to a message. In a log, bytes are hexadecimal text."""
    def binary(value):
        return None if value is None else bytes.fromhex(value)

    message = dict(line)
    for key in "before", "after":
        if key in message:
            message[key] = binary(message[key])
    message["memory"] = [dict(memory, before=binary(memory["before"]), after=binary(memory["after"])) for memory in line.get("memory", [])]
    return message


def to_text(message):
    def text(value):
        return None if value is None else value.hex()

    line = dict(message)
    for key in "before", "after":
        if key in line:
            line[key] = text(line[key])
    line["memory"] = [dict(memory, before=text(memory["before"]), after=text(memory["after"])) for memory in message["memory"]]
    return line
