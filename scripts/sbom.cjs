// npm run sbom: the bill of materials of this version as CycloneDX JSON, from the lock file only. The same lock file
// gives the same bytes.
//   npm run -s sbom > sbom.json        everything, including development
//   npm run -s sbom -- --production    only an installation for production
'use strict'

const { createHash } = require('node:crypto')
const { lockedPackages, sorted } = require('./locked-packages.cjs')

/**
 * The bill of materials. It contains no time, and its serial number is derived from its content, so that two of one
 * version can be compared.
 * @param {import('./locked-packages.cjs').LockedPackage[]} packages
 */
function billOfMaterials(packages) {
  const [root, ...others] = packages
  const refs = new Map(packages.map((one) => [one.place, refOf(one)]))
  // A package in two places is one component.
  const components = new Map(others.map((one) => [refOf(one), componentOf(one)]))
  const needs = new Map()
  for (const one of packages) {
    const list = needs.get(refOf(one)) || new Set()
    for (const place of one.needs) if (refs.has(place)) list.add(refs.get(place))
    needs.set(refOf(one), list)
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        'bom-ref': refOf(root),
        type: 'application',
        name: root.name,
        version: root.version,
        purl: purlOf(root),
      },
    },
    components: sorted(components.keys()).map((ref) => components.get(ref)),
    dependencies: sorted(needs.keys()).map((ref) => ({ ref, dependsOn: sorted(needs.get(ref)) })),
  }
  return Object.assign({ $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json' }, bill, {
    serialNumber: 'urn:uuid:' + uuidOf(JSON.stringify(bill)),
  })
}

function refOf({ name, version }) {
  return name + '@' + version
}

function purlOf({ name, version }) {
  return 'pkg:npm/' + name.replace('@', '%40') + '@' + version
}

function componentOf(one) {
  const [algorithm, hash] = one.integrity === null ? [] : one.integrity.split('-')
  return {
    'bom-ref': refOf(one),
    type: 'library',
    name: one.name,
    version: one.version,
    // `excluded` marks packages that are not needed at run time.
    scope: one.isDevelopment ? 'excluded' : one.isOptional ? 'optional' : 'required',
    purl: purlOf(one),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
    ...(one.licence !== null && { licenses: [licenceOf(one.licence)] }),
  }
}

/** A choice between licences is an SPDX expression. */
function licenceOf(licence) {
  return /[ ()]/.test(licence) ? { expression: licence } : { license: { id: licence } }
}

/** A UUID of version 8 (RFC 9562), made from a hash. */
function uuidOf(text) {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6] & 0x0f) | 0x80
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

module.exports = { billOfMaterials }

if (require.main === module) {
  const packages = lockedPackages()
  const isForProduction = process.argv.slice(2).includes('--production')
  const chosen = isForProduction ? packages.filter((one) => !one.isDevelopment) : packages
  process.stdout.write(JSON.stringify(billOfMaterials(chosen), null, 2) + '\n')
}
