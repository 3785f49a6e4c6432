import { viewOf } from '@fairball/domain/protocol/bytes'
import { LEAF, MASK_BYTES } from '@fairball/domain/protocol/plays'

/** The lines of a play's leaf, numbers ascending. */
export function linesOf(leaf: Uint8Array): number[][] {
  const view = viewOf(leaf)
  return Array.from({ length: view.getUint16(LEAF.lines) }, (_, line) => {
    const mask = view.getBigUint64(LEAF.masks + MASK_BYTES * line)
    return Array.from({ length: 64 }, (_bit, bit) => bit + 1).filter((number) => (mask >> BigInt(number - 1)) & 1n)
  })
}
