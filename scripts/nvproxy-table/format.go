package main

import (
	"bytes"
	"encoding/json"
	"strings"

	"drvabi/proxysource"
)

// formatted returns the document in the format of drvabi (src/abi/table.c):
// each level is indented by one space, and each field, entry or list is on one
// line.
func formatted(document *proxysource.Table) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, err
	}
	return spread(text.Bytes()), nil
}

// isSpread reports whether each member of a value is on a separate line. path has
// the keys from the root to the value; "" is an element of an array.
func isSpread(path []string) bool {
	switch len(path) {
	case 0, 1: // the whole, "types" and "versions"
		return true
	case 2: // a type, a version
		return path[0] != "passed"
	case 3: // members of a type or a version
		return path[2] == "fields" || path[2] == "ioctls" || path[2] == "sha256"
	case 4: // the entries of a family
		return path[2] == "ioctls"
	}
	return false
}

// spread breaks compact JSON into lines.
func spread(compact []byte) []byte {
	var out bytes.Buffer
	var path []string // of the innermost open value, without the root
	var open []bool   // for each open value: is it spread?
	key := ""         // the key of the next value
	newLine := func() { out.WriteString("\n" + strings.Repeat(" ", len(open))) }
	for at := 0; at < len(compact); at++ {
		switch c := compact[at]; c {
		case '{', '[':
			if len(open) > 0 {
				path = append(path, key)
			}
			key = ""
			open = append(open, isSpread(path) && compact[at+1] != '}' && compact[at+1] != ']')
			out.WriteByte(c)
			if open[len(open)-1] {
				newLine()
			}
		case '}', ']':
			wasSpread := open[len(open)-1]
			open = open[:len(open)-1]
			path = path[:max(len(open)-1, 0)]
			if wasSpread {
				newLine()
			}
			out.WriteByte(c)
		case ',':
			key = ""
			out.WriteByte(c)
			if open[len(open)-1] {
				newLine()
			} else {
				out.WriteByte(' ')
			}
		case ':':
			out.WriteString(": ")
		case '"':
			end := at + 1
			for ; compact[end] != '"'; end++ {
				if compact[end] == '\\' {
					end++
				}
			}
			out.Write(compact[at : end+1])
			if compact[end+1] == ':' {
				key = string(compact[at+1 : end])
			}
			at = end
		default:
			out.WriteByte(c)
		}
	}
	return out.Bytes()
}
