// The comparison of two versions side by side. It compares only the states of items; the classes of change need run_differ.
'use strict';

// differencesOf - list for each kind the items that were changed, added and removed between two versions; a record also counts as changed
// if a record inside it changed
function differencesOf(base, next) {
	const found = states.map(() => ({ changed: [], added: [], removed: [] })), seen = new Map();
	for (const life of lives) {
		const was = statesOf(life)[base], is = statesOf(life)[next];
		if (was < 0 && is < 0)
			continue;
		if (was < 0 || is < 0) {
			found[life.kind][was < 0 ? 'added' : 'removed'].push(life);
			continue;
		}
		const inside = was === is && life.kind === RECORD && signature(life, base) !== signature(life, next);
		if (was !== is || inside)
			addDifference(found[life.kind].changed, seen, { life, inside, also: [] }, `${life.kind} ${was} ${is}`);
	}
	return found;
}

// addDifference - append a changed item to a list; a record or enum with several names is listed once, with all its names
function addDifference(list, seen, item, key) {
	const { life } = item, first = life.kind === RECORD || life.kind === ENUM ? seen.get(key) : null;
	if (first && !item.inside) {
		first.also.push(life);
		return;
	}
	seen.set(key, item);
	list.push(item);
}

// valueChanges - list the enumerators that were added or removed, or whose value changed
function valueChanges(was, is) {
	const pairs = (state) => {
		const map = new Map();
		for (let i = 0; i < state[2].length; i += 2)
			map.set(words[state[2][i]], state[2][i + 1]);
		return map;
	};
	const before = pairs(was), after = pairs(is), out = [];
	for (const [name, value] of after)
		if (!before.has(name))
			out.push(`+ ${name} = ${value}`);
		else if (String(before.get(name)) !== String(value))
			out.push(`~ ${name} = ${before.get(name)} -> ${value}`);
	for (const [name, value] of before)
		if (!after.has(name))
			out.push(`- ${name} = ${value}`);
	return out;
}

const turned = (what, was, is) => (was === is ? [] : [`${what}${was} -> ${is}`]);

// differenceWords - describe a difference in one line
function differenceWords({ life, inside }, base, next) {
	const was = stateAt(life, base), is = stateAt(life, next);
	if (life.kind === RECORD)
		return (inside ? 'only in a record inside it, ' : '') + (was[0] === is[0] ? plural(is[0], 'byte') : `${was[0]} -> ${plural(is[0], 'byte')}`);
	if (life.kind === ENUM)
		return plural(valueChanges(was, is).length, 'value');
	if (life.kind === CONSTANT)
		return `${constantNumber(life.name, was)} -> ${constantNumber(life.name, is)}`;
	if (life.kind === ALIAS)
		return [...turned('', words[was[0]], words[is[0]]), ...turned('size ', was[1], is[1])].join(', ');
	const flags = (state) => [...state[2].map((flag) => words[flag]), word(state[3])].filter(Boolean);
	const gone = flags(was).filter((flag) => !flags(is).includes(flag)), fresh = flags(is).filter((flag) => !flags(was).includes(flag));
	return [...turned('', ioctlNumber(life.family, was[0]), ioctlNumber(life.family, is[0])),
		...turned('', word(was[1]) || 'no parameters', word(is[1]) || 'no parameters'), ...fresh.map((flag) => '+' + flag), ...gone.map((flag) => '-' + flag)].join(', ');
}

function differenceFigure(life, base, next) {
	if (life.kind === ENUM)
		return make('div', { class: 'wide tall mono' }, valueChanges(stateAt(life, base), stateAt(life, next)).flatMap((line) => [line, make('br')]));
	return make('div', { class: 'pair' }, [[base, null], [next, base]].map(([version, before]) => make('figure', {},
		make('figcaption', {}, versionLink(all[version]), `: ${plural(stateAt(life, version)[0], 'byte')}`), mapOf(life, version, before))));
}

function differenceItem(item, base, next) {
	const { life } = item, link = lifeLink(life.kind, life.family, life.name), also = item.also.length ? ` (also ${item.also.map((one) => one.name).join(', ')})` : '';
	const line = [make('span', { class: 'kind' }, life.family || kinds[life.kind]), link, make('span', { class: 'what' }, also, ' ', unbroken(differenceWords(item, base, next)))];
	if (life.kind !== RECORD && life.kind !== ENUM)
		return make('li', {}, line);
	const more = make('details', { class: 'differs' }, make('summary', {}, line));
	more.addEventListener('toggle', () => more.childElementCount > 1 || more.append(differenceFigure(life, base, next)));
	return make('li', {}, more);
}

const foldedLinks = (title, list) => (!list.length ? null : make('details', {}, make('summary', {}, title),
	make('p', {}, list.flatMap((life, index) => [index ? ', ' : '', lifeLink(life.kind, life.family, life.name)]))));

function differenceSection(kind, found, base, next) {
	const { changed, added, removed } = found[kind];
	if (!changed.length && !added.length && !removed.length)
		return null;
	return [make('h3', {}, `${kinds[kind]}: ${changed.length} changed, ${added.length} added, ${removed.length} removed`),
		make('ul', { class: 'changes' }, changed.map((item) => differenceItem(item, base, next))),
		foldedLinks(`${added.length} added`, added), foldedLinks(`${removed.length} removed`, removed)];
}

function showCompare(baseName, nextName) {
	const [base, next] = [baseName, nextName].map((name) => all.find((version) => version.name === name));
	if (!base || !next)
		return null;
	byId('base').value = base.name;
	byId('next').value = next.name;
	const found = differencesOf(base.index, next.index);
	const sections = [IOCTL, RECORD, ENUM, ALIAS, CONSTANT].map((kind) => differenceSection(kind, found, base.index, next.index)).filter(Boolean);
	return [make('h2', {}, versionLink(base), ' and ', versionLink(next), ' side by side'),
		make('p', { class: 'dim' }, sections.length ? 'All differences, of all classes. Open a record to see both layouts. To see what each change means for a proxy, run ' :
			'No difference in the data of this page. To compare everything, run ',
		make('code', {}, `run_differ --base ${base.name} --next ${next.name}`)), ...sections.flat()];
}

// startCompare - fill the form with the versions, newest first, and select the newest version and its parent
function startCompare() {
	const newest = all[all.length - 1], parent = newest && newest.parent >= 0 ? all[newest.parent] : newest;
	for (const [id, version] of [['base', parent], ['next', newest]]) {
		byId(id).append(...[...all].reverse().map((one) => make('option', { value: one.name }, one.name)));
		if (version)
			byId(id).value = version.name;
	}
	byId('compare').addEventListener('submit', (submit) => {
		submit.preventDefault();
		location.hash = address('compare', `${byId('base').value}..${byId('next').value}`);
	});
}
