// The drawings of a record's layouts, to scale, with 8 bytes per row.
'use strict';

const BYTE = 34, ROW = 24, GUTTER = 46, ROW_BITS = 64, MAX_ROWS = 420, CUT_ROW = 12;

function fieldsOf(state) {
	const flat = state[3], fields = [];
	for (let i = 0; i < flat.length; i += 5) {
		const unit = flat[i + 4] & IN_BITS ? 1 : 8;
		fields.push({ name: words[flat[i]], type: words[flat[i + 1]], at: flat[i + 2] * unit, size: flat[i + 3] * unit, role: roles[flat[i + 4] & (IN_BITS - 1)] });
	}
	return fields;
}

const baseType = (type) => type.replace(/(\[\d*\])+$/, '');

// pointedTo - return a type without dimensions, '*', qualifiers and the words struct, union and enum; '' for a function type
const pointedTo = (type) => (/^[^(*[]*\(/.test(type) ? '' :
	type.replace(/[*[].*$/, '').replace(/^((const|volatile|struct|union|enum) )+/, '').trim());

// recordBehind - return the record that a type names at a version, directly or through aliases; null if it names none. If @bare is
// pointedTo, return also a record that the type points to.
function recordBehind(type, version, bare = baseType) {
	for (let name = bare(type), left = 16; left; left--) {
		const record = findLife(RECORD, name);
		if (stateAt(record, version))
			return record;
		const alias = stateAt(findLife(ALIAS, name), version);
		if (!alias)
			return null;
		name = bare(words[alias[0]]);
	}
	return null;
}

// signature - return a string that is equal for two versions if the record and all records inside it are equal
function signature(life, version, inside = []) {
	life.signatures = life.signatures || new Map();
	const known = life.signatures.get(version);
	if (known !== undefined)
		return known;
	const state = stateAt(life, version);
	let text = '';
	if (state && !inside.includes(life)) {
		const parts = [statesOf(life)[version]];
		for (const field of fieldsOf(state)) {
			const record = recordBehind(field.type, version);
			if (record)
				parts.push(signature(record, version, [...inside, life]));
		}
		text = '(' + parts.join(' ') + ')';
	}
	if (!inside.includes(life))
		life.signatures.set(version, text);
	return text;
}

// deepRole - return the most important role in a record, including the records inside it: pointer, fd, handle, pid, or ''
function deepRole(life, version, depth = 0) {
	const state = stateAt(life, version);
	let found = '';
	for (const field of state && depth < 8 ? fieldsOf(state) : []) {
		const record = recordBehind(field.type, version);
		const role = record ? deepRole(record, version, depth + 1) : field.role;
		for (const one of ['pid', 'handle', 'fd', 'pointer'])
			if (one === role && ['', 'pid', 'handle', 'fd', 'pointer'].indexOf(role) > ['', 'pid', 'handle', 'fd', 'pointer'].indexOf(found))
				found = role;
	}
	return found;
}

// isPlain - return true if the members of a field are drawn, not the field: it is a struct with members, and not an array
const isPlain = (field, inner) => inner && !field.type.endsWith(']') && !inner[2] && inner[3].length;

function cellOf(field, record, inner, version, prefix, base) {
	const members = () => 'one of ' + fieldsOf(inner).map((one) => one.name || '(unnamed)').join(', ');
	return {
		path: field.name ? prefix + field.name : prefix + (inner ? members() : '(unnamed)'),
		type: field.type, at: base + field.at, size: field.size, record, inside: record ? signature(record, version) : '',
		role: record ? deepRole(record, version) : field.role, isUnion: inner && inner[2],
	};
}

// cellsOf - list the cells to draw: one for each scalar, array and union; a struct has the cells of its members
function cellsOf(fields, version, prefix = '', base = 0, out = [], depth = 0) {
	for (const field of fields) {
		const record = recordBehind(field.type, version), inner = record && stateAt(record, version);
		if (isPlain(field, inner) && depth < 8 && out.length < 4000)
			cellsOf(fieldsOf(inner), version, field.name ? prefix + field.name + '.' : prefix, base + field.at, out, depth + 1);
		else
			out.push(cellOf(field, record, inner, version, prefix, base));
	}
	return out;
}

// partsOf - list the parts of a record that are drawn separately: the whole struct, or each member of a union
function partsOf(state, version) {
	const fields = fieldsOf(state);
	if (!state[2])
		return [{ label: '', cells: cellsOf(fields, version), bits: state[0] * 8 }];
	return fields.map((field) => {
		const cells = cellsOf([field], version), prefix = field.name + '.';
		for (const cell of cells)
			cell.shared = field.name && cell.path.startsWith(prefix) ? prefix.length : 0;
		return { label: field.name || '(unnamed)', type: field.type, cells, bits: field.size };
	});
}

function holesOf(cells, bits) {
	const holes = [];
	let end = 0;
	for (const cell of [...cells].sort((a, b) => a.at - b.at)) {
		if (cell.at > end)
			holes.push({ path: '', at: end, size: cell.at - end, hole: true });
		end = Math.max(end, cell.at + cell.size);
	}
	if (bits > end)
		holes.push({ path: '', at: end, size: bits - end, hole: true });
	return holes;
}

const bytes = (bits) => (bits % 8 ? `${Math.floor(bits / 8)}:${bits % 8}` : String(bits / 8));
const sizeWords = (bits) => (bits % 8 ? plural(bits, 'bit') : plural(bits / 8, 'byte'));

// rowTops - compute the y coordinate of each row of 8 bytes; the rows in the middle of a long array are left out
function rowTops(cells, bits) {
	const count = Math.max(1, Math.ceil(bits / ROW_BITS)), skip = new Map();
	for (const cell of cells) {
		const first = Math.ceil(cell.at / ROW_BITS), last = Math.floor((cell.at + cell.size) / ROW_BITS) - 1;
		if (last - first > 4)
			skip.set(first + 2, last - 1);
	}
	const rows = { top: new Map(), cuts: [], height: 0, end: count };
	for (let row = 0, drawn = 0; row < count; row++, drawn++) {
		if (drawn > MAX_ROWS) {
			rows.end = row;
			break;
		}
		if (skip.has(row)) {
			rows.cuts.push({ top: rows.height, rows: skip.get(row) - row });
			rows.height += CUT_ROW;
			row = skip.get(row);
		}
		rows.top.set(row, rows.height);
		rows.height += ROW;
	}
	return rows;
}

// shapeOf - return the outline of the bits from..to, whose first and last row may be incomplete, and the place for a label
function shapeOf(from, to, rows) {
	const first = Math.floor(from / ROW_BITS), last = Math.floor((to - 1) / ROW_BITS);
	const x = (bit) => GUTTER + bit * BYTE / 8, top = (row) => rows.top.get(row);
	const x1 = x(from % ROW_BITS), x2 = x((to - 1) % ROW_BITS + 1), right = x(ROW_BITS), left = x(0);
	const y1 = top(first), y2 = top(last);
	if (y1 === undefined || y2 === undefined)
		return null;
	if (first === last)
		return { d: `M${x1} ${y1}H${x2}V${y1 + ROW}H${x1}Z`, x: x1, y: y1, width: x2 - x1 };
	const room = last - first > 1 || x1 === left ? { x: left, width: right - left, y: x1 === left ? y1 : top(first + 1) } :
		right - x1 >= x2 - left ? { x: x1, width: right - x1, y: y1 } : { x: left, width: x2 - left, y: y2 };
	if (last - first === 1 && x1 >= x2)
		return { d: `M${x1} ${y1}H${right}V${y1 + ROW}H${x1}ZM${left} ${y2}H${x2}V${y2 + ROW}H${left}Z`, ...room };
	return { d: `M${x1} ${y1}H${right}V${y2}H${x2}V${y2 + ROW}H${left}V${y1 + ROW}H${x1}Z`, ...room };
}

// fits - shorten a path to a width: a nested field's path keeps its end, any other path its beginning
const fits = (text, width) => {
	const count = Math.floor((width - 6) / 6.05);
	if (text.length <= count)
		return text;
	return count < 2 ? '' : text.includes('.') ? '…' + text.slice(1 - count) : text.slice(0, count - 1) + '…';
};

function fieldBox(cell, rows, mark) {
	const shape = shapeOf(cell.at, cell.at + cell.size, rows);
	if (!shape)
		return null;
	const carried = cell.record ? 'nested' : '';
	const kind = cell.hole ? 'hole' : ['pointer', 'fd', 'handle', 'pid'].includes(cell.role) ? cell.role : carried;
	const array = cell.type && cell.type.match(/(\[\d*\])+$/);
	const title = cell.hole ? `hole of ${sizeWords(cell.size)} at ${bytes(cell.at)}` :
		`${cell.path}\n${cell.type}${cell.role ? ' (' + cell.role + (cell.record ? ' inside' : '') + ')' : ''}\n${sizeWords(cell.size)} at ${bytes(cell.at)}` +
		(mark ? '\n' + mark.says : '');
	const label = cell.hole ? '' : (cell.isUnion ? '∪ ' : '') + cell.path.slice(cell.shared || 0) + (array ? array[0] : '');
	const box = [draw('path', { d: shape.d, class: kind + (mark ? ' ' + mark.class : '') }, draw('title', {}, title)),
		draw('text', { x: shape.x + 4, y: shape.y + 16 }, fits(label, shape.width))];
	return cell.record ? draw('a', { href: addressOf(RECORD, null, cell.record.name) }, box) : draw('g', {}, box);
}

// drawMap - draw the boxes of a layout and its holes, 8 bytes per row
function drawMap(cells, bits, marks) {
	const boxes = [...cells.filter((cell) => cell.size), ...holesOf(cells, bits)];
	const rows = rowTops(boxes, bits), right = GUTTER + 8 * BYTE;
	const svg = draw('svg', { class: 'map', width: right + 4, height: rows.height + 4, viewBox: `-1 -2 ${right + 4} ${rows.height + 4}` });
	for (const [row, top] of rows.top)
		svg.append(draw('text', { class: 'at', x: GUTTER - 6, y: top + 16, 'text-anchor': 'end' }, String(row * 8)));
	// Marked boxes are drawn last, so that no other outline covers theirs.
	const drawn = boxes.map((cell) => [marks && marks.get(cell.path), cell]).sort((a, b) => (a[0] ? 1 : 0) - (b[0] ? 1 : 0));
	for (const [mark, cell] of drawn) {
		const box = fieldBox(cell, rows, cell.hole ? null : mark);
		if (box)
			svg.append(box);
	}
	for (const cut of rows.cuts) {
		let wave = `M${GUTTER - 4} ${cut.top + CUT_ROW / 2}`;
		for (let x = GUTTER; x < right + 2; x += 8)
			wave += 'q2 -5 4 0t4 0';
		svg.append(draw('path', { class: 'cut', d: wave }), draw('text', { class: 'at', x: GUTTER - 6, y: cut.top + 9, 'text-anchor': 'end' }, '⋮'));
	}
	const missing = Math.ceil(bits / ROW_BITS) - rows.end;
	return missing > 0 ? [svg, make('p', { class: 'dim' }, `… and ${missing * 8} more bytes`)] : svg;
}

// compareCells - compare two layouts by path: return marks for the new and changed boxes, and the paths of the removed boxes
function compareCells(was, is) {
	const before = new Map(was.map((cell) => [cell.path, cell])), marks = new Map();
	for (const cell of is) {
		const old = before.get(cell.path);
		if (!old)
			marks.set(cell.path, { class: 'is-new', says: 'new' });
		else if (old.type !== cell.type || old.size !== cell.size)
			marks.set(cell.path, { class: 'is-other', says: `was ${old.type}, ${sizeWords(old.size)} at ${bytes(old.at)}` });
		else if (old.inside !== cell.inside)
			marks.set(cell.path, { class: 'is-other', says: 'changed inside' });
		else if (old.at !== cell.at)
			marks.set(cell.path, { class: 'is-moved', says: `moved from ${bytes(old.at)}` });
		before.delete(cell.path);
	}
	return { marks, gone: [...before.keys()] };
}

// mapOf - draw one layout, with marks for the changes since @before; the members of a union are drawn one below the other
function mapOf(life, version, before) {
	const parts = partsOf(stateAt(life, version), version), cells = parts.flatMap((part) => part.cells);
	const old = before === null ? null : partsOf(stateAt(life, before), before).flatMap((part) => part.cells);
	const seen = old && compareCells(old, cells), drawn = [];
	for (const part of parts)
		drawn.push(part.label ? make('p', { class: 'mono', title: part.type }, part.label) : null, part.bits ? drawMap(part.cells, part.bits, seen && seen.marks) : null);
	const none = cells.filter((cell) => !cell.size);
	if (none.length)
		drawn.push(make('p', { class: 'dim' }, 'Without a size: ' + none.map((cell) => `${cell.path} at ${bytes(cell.at)} (${cell.type})`).join(', ')));
	if (seen && seen.gone.length)
		drawn.push(make('p', { class: 'gone' }, 'Removed: ', seen.gone.slice(0, 40).join(', '), seen.gone.length > 40 ? ` and ${seen.gone.length - 40} more` : ''));
	return drawn;
}
