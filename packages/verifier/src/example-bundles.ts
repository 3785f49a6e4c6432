/**
 * Bundles to try verifiers on: honest draws of every kind, and dishonest ones, each with one thing wrong and everything else
 * as good as an operator can make it, signed with the operator's own key. `write-example-bundles.ts` writes them as files.
 */
import { dishonestBundles } from './dishonest-bundles.ts'
import type { ExampleBundle } from './example-draws.ts'
import { honestBundles } from './honest-bundles.ts'

/** All bundles, honest ones first. */
export function exampleBundles(): ExampleBundle[] {
  return [...honestBundles(), ...dishonestBundles()]
}
