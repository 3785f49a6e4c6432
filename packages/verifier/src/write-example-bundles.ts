/** Writes the example bundles and their index into a folder: `node packages/verifier/src/write-example-bundles.ts [folder]`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleText } from '@fairball/domain/fairness/bundle-file'
import { exampleBundles } from './example-bundles.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '..', 'bundles')
mkdirSync(folder, { recursive: true })
const index = exampleBundles().map(({ name, about, outcome, state, failed, bundle }) => {
  const file = `${name}.bundle.json`
  writeFileSync(join(folder, file), bundleText(bundle))
  return { file, about, outcome, state, failed, steps: [...new Set(failed.map((id) => id.split('.')[0]))] }
})
writeFileSync(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`)
