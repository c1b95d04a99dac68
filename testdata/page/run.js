// The scripts of a page without a browser: node run.js PAGE.html EXPRESSION. They may ask for the data and for the name space
// of SVG; nothing is drawn, and what starts the page is left out.
'use strict';
const vm = require('vm');
const page = require('fs').readFileSync(process.argv[2], 'utf8');
const scripts = [...page.matchAll(/^<script([^>]*)>\n([\s\S]*?)<\/script>$/gm)].map(([, attributes, text]) => ({ attributes, text }));
const dataText = scripts.find((script) => script.attributes.includes('id="data"')).text;
const code = scripts.filter((script) => !script.attributes.includes('id="data"')).map((script) => script.text).join('\n');

globalThis.document = { getElementById: () => ({ textContent: dataText }), querySelector: () => ({ namespaceURI: '' }) };
const value = vm.runInThisContext(`${code.replace(/^start\(\);$/m, '')}\n;(${process.argv[3]})`);
process.stdout.write(`${JSON.stringify(value)}\n`);
