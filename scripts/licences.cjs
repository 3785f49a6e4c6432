// npm run licences: writes docs/licences.md from the lock files and THIRD-PARTY-NOTICES.txt from the installed packages,
// and reports packages whose licence is not allowed.
'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { LOCK_FILES, ROOT, lockedPackages, sorted } = require('./locked-packages.cjs')
const { NOTICES, noticesOf } = require('./notices.cjs')

const LIST = path.join(ROOT, 'docs', 'licences.md')

/** Licences whose only condition is that their text is kept (docs/supply-chain.md). */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]
/** Licences that are allowed for some packages only. */
const ALLOWED_FOR = {
  // Fonts may be embedded and sold with a program, but not alone.
  'OFL-1.1': ({ name }) => name.startsWith('@fontsource-variable/'),
  // Changed files must be published: for tools that we run unchanged and do not distribute.
  'MPL-2.0': ({ isDevelopment }) => isDevelopment,
  // Requires attribution: for a table of browsers in tools that we do not distribute.
  'CC-BY-4.0': ({ isDevelopment }) => isDevelopment,
}

/**
 * The packages whose licence does not allow their use here.
 * @param {Pick<import('./locked-packages.cjs').LockedPackage, 'name' | 'version' | 'licence' | 'isDevelopment'>[]}
 * packages
 * @returns {string[]} a sentence for each
 */
function licenceProblems(packages) {
  return packages
    .filter((one) => !choicesOf(one.licence).some((licence) => isAllowed(licence, one)))
    .map((one) => {
      const use = one.isDevelopment ? 'a tool' : 'a part of the product'
      return one.name + ' ' + one.version + ' is ' + use + ' under ' + (one.licence || 'no licence that it names') + '.'
    })
}

/** The alternatives of a licence. A combination of two (AND) counts as unknown. */
function choicesOf(licence) {
  return (licence || '').replace(/^\((.*)\)$/, '$1').split(' OR ')
}

function isAllowed(licence, one) {
  return PERMISSIVE.includes(licence) || (licence in ALLOWED_FOR && ALLOWED_FOR[licence](one))
}

/** Every foreign package, once for each version; packages of the bench only count as tools. */
function foreignPackages() {
  const [product, ...tools] = LOCK_FILES.map((file) => lockedPackages(file).filter((one) => !one.isOwn))
  const others = tools.flat().map((one) => Object.assign({}, one, { isDevelopment: true }))
  const found = new Map()
  for (const one of product.concat(others)) {
    const key = one.name + ' ' + one.version
    const known = found.get(key)
    // A package in two places is part of the product if it is in either.
    if (known === undefined || (known.isDevelopment && !one.isDevelopment)) found.set(key, one)
  }
  return sorted(found.keys()).map((key) => found.get(key))
}

/** The packages that are part of the product. */
function productPackages() {
  return foreignPackages().filter((one) => !one.isDevelopment)
}

/** The text of docs/licences.md. */
function licenceList() {
  const packages = foreignPackages()
  const parts = packages.filter((one) => !one.isDevelopment)
  const counts = new Map()
  for (const one of packages) counts.set(one.licence, (counts.get(one.licence) || 0) + 1)
  const byCount = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1))
  return [
    '# Licences of what Fairball is made of',
    '',
    'Written by `npm run licences` from the lock files; a test compares them. The allowed licences are in [supply-chain.md](supply-chain.md).',
    '',
    packages.length +
      ' packages, of which ' +
      parts.length +
      ' are part of the product and the others tools for building and testing it. Those for other computers than yours are among them.',
    '',
    ...table([['licence', 'packages'], ...byCount.map(([licence, count]) => [String(licence), String(count)])]),
    '',
    ...table([
      ['package', 'version', 'licence', 'use'],
      ...packages.map((one) => [one.name, one.version, String(one.licence), one.isDevelopment ? 'tool' : 'product']),
    ]),
    '',
  ].join('\n')
}

/** A table in the formatter's style: every column is as wide as its widest cell. */
function table([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)))
  const line = (row) => '| ' + row.map((cell, column) => cell.padEnd(widths[column])).join(' | ') + ' |'
  return [line(head), '| ' + widths.map((width) => '-'.repeat(width)).join(' | ') + ' |', ...rows.map(line)]
}

module.exports = { LIST, PERMISSIVE, ALLOWED_FOR, foreignPackages, licenceList, licenceProblems, productPackages }

if (require.main === module) {
  fs.writeFileSync(LIST, licenceList())
  fs.writeFileSync(NOTICES, noticesOf(productPackages()))
  const problems = licenceProblems(foreignPackages())
  for (const problem of problems) process.stderr.write(problem + '\n')
  if (problems.length > 0)
    process.stderr.write('Find another package, or agree to the licence in scripts/licences.cjs.\n')
  process.exitCode = problems.length > 0 ? 1 : 0
}
