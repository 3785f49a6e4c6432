import { describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toBase64, toHex, u32, utf8Bytes } from './bytes.ts'
import { checkpointText, readCheckpoint } from './checkpoint.ts'
import { linesBlind, linesCommitment, paytoCommitment, secretCommitment } from './commitments.ts'
import { countSection, countWinners, readPlays } from './count-plays.ts'
import { mac, nobleHash, textHash } from './hash.ts'
import { prizesOf } from './money.ts'
import { writePaymentLeaf } from './payments.ts'
import {
  cosignatureLine,
  cosignedAt,
  cosignedText,
  isSignedBy,
  LOG_KEY_TYPE,
  readVerifierKey,
  signatureLine,
  verifierKey,
  WITNESS_KEY_TYPE,
  writeNote,
} from './note.ts'
import { checkReceipt, promiseOf, signPaper } from './papers.ts'
import { isMet, readPolicy } from './policy.ts'
import { halvesOf, leafOf, readSection } from './play-tree.ts'
import { maskOf, ownerTag, playId, playSecret, revokedSummary } from './plays.ts'
import { readRules, writeRules } from './rules.ts'
import { randomnessOf } from './chain.ts'
import { drawKey, drawNumbers, seedHash, streamBlock } from './sampler.ts'
import { writeSections } from './sections.ts'
import { isInSum, sumLeaf, sumPath, sumRoot } from './solvency.ts'
import { readStatement, readStatementOf, type Statement, writeStatement } from './statements.ts'
import {
  entriesPath,
  nodeFromTile,
  partialTiles,
  readEntries,
  type Tile,
  TileBuilder,
  tileOfNode,
  tilePath,
  writeEntries,
} from './tiles.ts'
import {
  consistencyNodes,
  foldPeaks,
  inclusionNodes,
  isConsistent,
  isIncluded,
  leafHash,
  peakCount,
  peakNodes,
  proofOf,
  TreeFolder,
  type TreeNode,
} from './tree.ts'
import { bundleOf, vector } from './vectors-fixture.ts'

const hex = (bytes: Uint8Array): string => toHex(bytes)
const bytesOf = (text: string): Uint8Array => fromHex(text)

describe('the vectors of statements', () => {
  const statements = vector<Record<string, { text: string; hash: string; leaf_hash: string }>>('statements.json')
  const { rules, policy, ...others } = statements

  it.each(Object.entries(others))(
    'the vector of a "%s" is read and written',
    (type, { text, hash, leaf_hash: leaf }) => {
      const statement: Statement = readStatement(text)
      expect(statement.type).toBe(type)
      expect(writeStatement(statement as never)).toBe(text)
      expect(textHash(text)).toBe(hash)
      expect(hex(leafHash(nobleHash, utf8Bytes(text)))).toBe(leaf)
    },
  )

  it('the vector of rules is read and written', () => {
    expect(writeRules(readRules(rules?.text ?? ''))).toBe(rules?.text)
    expect(textHash(rules?.text ?? '')).toBe(rules?.hash)
  })

  it('the vector of a policy of 2 of 3 witnesses is read', () => {
    const { witnesses, quorum } = readPolicy(policy?.text ?? '')
    expect(witnesses.map(({ name }) => name)).toEqual([
      'w1.example/witness',
      'w2.example/witness',
      'w3.example/witness',
    ])
    expect(quorum).toMatchObject({ threshold: 2 })
  })
})

describe('the vectors of trees', () => {
  const {
    trees,
    paths,
    consistency,
    ranges,
    tiles_of_70000: tiles,
  } = vector<{
    trees: { size: number; root: string; section_roots: string[] }[]
    paths: { index: number; size: number; path: string[] }[]
    consistency: { from: number; to: number; proof: string[] }[]
    ranges: { start: number; size: number; left: string[]; root: string }[]
    tiles_of_70000: Record<string, { bytes: number; sha256: string }>
  }>('trees.json')
  const largest = Math.max(...trees.map(({ size }) => size))
  const sizes = [...trees, ...paths, ...ranges]
    .map(({ size }) => size)
    .concat(consistency.flatMap(({ from, to }) => [from, to]))
  let tree: ReturnType<typeof growTree> | undefined
  const grownTree = () => (tree ??= growTree(largest, sizes))

  it('the trees have the roots of the vectors, and so have their sections', () => {
    const grown = grownTree()
    for (const { size, root, section_roots: sections } of trees) {
      expect(grown.heads.get(size)).toEqual({ root, sections })
    }
  })

  it('the inclusion proofs match the vectors', () => {
    const grown = grownTree()
    for (const { index, size, path } of paths) {
      expect(proofOf(nobleHash, inclusionNodes(index, size), grown.node).map(hex)).toEqual(path)
      const root = bytesOf(grown.heads.get(size)?.root ?? '')
      expect(isIncluded(nobleHash, { index, size, root }, grown.node({ level: 0, index }), path.map(bytesOf))).toBe(
        true,
      )
    }
  })

  it('the consistency proofs match the vectors', () => {
    const grown = grownTree()
    for (const { from, to, proof } of consistency) {
      expect(proofOf(nobleHash, consistencyNodes(from, to), grown.node).map(hex)).toEqual(proof)
      const [one, other] = [from, to].map((size) => ({ size, root: bytesOf(grown.heads.get(size)?.root ?? '') }))
      if (one === undefined || other === undefined) throw new Error('no sizes')
      expect(isConsistent(nobleHash, one, other, proof.map(bytesOf))).toBe(true)
    }
  })

  it('the ranges match the vectors', () => {
    const grown = grownTree()
    for (const { start, size, left, root } of ranges) {
      const folder = new TreeFolder(nobleHash, start, left.map(bytesOf))
      for (let index = start; index < size; index += 1) folder.add(grown.node({ level: 0, index }))
      expect(hex(folder.root())).toBe(root)
      expect(peakNodes(0, start).map((node) => hex(grown.node(node)))).toEqual(left)
    }
  })

  it('the tiles match the vectors', () => {
    const grown = grownTree()
    const whole: Tile[] = [0, 1].flatMap((level) => [{ level, index: level === 0 ? 272 : 0, width: 256 }])
    const served = [...whole, ...partialTiles(70_000)]
    expect(served.map(tilePath).toSorted()).toEqual(Object.keys(tiles).toSorted())
    const bytesOfTile = (tile: Tile): Uint8Array => grown.tile(tile).slice(0, 32 * tile.width)
    for (const tile of served) {
      const bytes = bytesOfTile(tile)
      expect({ bytes: bytes.length, sha256: hex(nobleHash(bytes)) }).toEqual(tiles[tilePath(tile)])
    }
    const resumed = TileBuilder.resume(nobleHash, 70_000, bytesOfTile)
    expect(hex(resumed.root())).toBe(trees.find(({ size }) => size === 70_000)?.root)
  })
})

/** Grows the tree of the vectors once, and keeps its tiles and some of its heads. */
function growTree(largest: number, sizes: readonly number[]) {
  const tiles = new Map<string, Uint8Array>()
  const keep = (tile: Tile, bytes: Uint8Array): void => void tiles.set(`${tile.level} ${tile.index}`, bytes)
  const builder = new TileBuilder(nobleHash, keep)
  const heads = new Map<number, { root: string; sections: string[] }>()
  for (let size = 0; size <= largest; size += 1) {
    if (sizes.includes(size)) heads.set(size, { root: hex(builder.root()), sections: sectionRoots(builder) })
    if (size < largest) builder.add(u32(size))
  }
  for (const { tile, bytes } of builder.partial()) keep(tile, bytes)
  const tile = ({ level, index }: Tile): Uint8Array => tiles.get(`${level} ${index}`) ?? new Uint8Array()
  const node = (at: TreeNode): Uint8Array => nodeFromTile(nobleHash, at, tile(tileOfNode(at, largest)))
  return { heads, tile, node }
}

/** The roots of full sections are hashes of level 2; the peaks below them form the last section. */
function sectionRoots(builder: TileBuilder): string[] {
  const whole = Math.floor(builder.size / 65_536)
  const above = builder.partial().find(({ tile }) => tile.level === 2)?.bytes ?? new Uint8Array()
  const roots = Array.from({ length: whole }, (_, section) => hex(above.slice(32 * section, 32 * section + 32)))
  const rest = builder.peaks().slice(peakCount(whole))
  return rest.length === 0 ? roots : [...roots, hex(foldPeaks(nobleHash, rest))]
}

describe('the vectors of tiles', () => {
  const { log, draw } = vector<Record<'log' | 'draw', Record<string, string>>>('tiles.json')
  const bundle = bundleOf('honest')

  it.each([
    ['a log', log, bundle.statements.map(({ text }) => utf8Bytes(text))],
    ['plays', draw, [...readEntries(bundle.draws[0]?.plays?.parts[0]?.leaves ?? new Uint8Array())]],
  ])('the files of %s match the vectors', (_, files, entries) => {
    const builder = new TileBuilder(nobleHash)
    for (const entry of entries) builder.add(entry)
    const tiles = builder.partial().map(({ tile, bytes }) => [tilePath(tile), toBase64(bytes)])
    const [first] = partialTiles(entries.length)
    const path = entriesPath(first ?? { index: 0, width: 1 })
    expect({ ...Object.fromEntries(tiles), [path]: toBase64(writeEntries(entries)) }).toEqual(files)
  })

  it('the path of a large tile has groups of three digits', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
    expect(entriesPath({ index: 7, width: 3 })).toBe('tile/entries/007.p/3')
  })
})

describe('the vectors of checkpoints', () => {
  const seeds = {
    log: Uint8Array.from({ length: 32 }, (_, place) => place),
    w1: new Uint8Array(32).fill(0x61),
    w2: new Uint8Array(32).fill(0x62),
  }
  const given = vector<{
    text: string
    note: string
    log_vkey: string
    witnesses: { vkey: string }[]
    cosigned_message: string
    policy_operator: string
  }>('checkpoint.json')

  it('the signed checkpoint matches the vectors byte by byte', () => {
    const at = 1_692_806_071
    const origin = 'lottery.example/fairball'
    const lines = [
      signatureLine(given.text, origin, seeds.log),
      cosignatureLine(given.text, 'w1.example/witness', at, seeds.w1),
      cosignatureLine(given.text, 'w2.example/witness', at, seeds.w2),
    ]
    expect(writeNote(given.text, lines)).toBe(given.note)
    expect(cosignedText(given.text, at)).toBe(given.cosigned_message)
  })

  it('the checkpoint of the vectors is read back, with keys in the form of policies', () => {
    const checkpoint = readCheckpoint(given.note)
    if (checkpoint === null) throw new Error('no checkpoint')
    const log = readVerifierKey(given.log_vkey, LOG_KEY_TYPE)
    const witness = readVerifierKey(given.witnesses[0]?.vkey ?? '', WITNESS_KEY_TYPE)
    expect(checkpointText(checkpoint.origin, checkpoint)).toBe(given.text)
    expect(isSignedBy(checkpoint.note, log)).toBe(true)
    expect(cosignedAt(checkpoint.note, witness)).toEqual([1_692_806_071])
    expect(verifierKey(log, LOG_KEY_TYPE)).toBe(given.log_vkey)
  })

  it('the checkpoint meets its policy from the second cosignature on', () => {
    const note = readCheckpoint(given.note)?.note
    if (note === undefined) throw new Error('no checkpoint')
    const policy = readPolicy(given.policy_operator)
    expect(isMet(policy, note, 1_692_806_071, 1_692_806_071)).toBe(true)
    expect(isMet(policy, note, 1_692_806_072, 1_692_806_304)).toBe(false)
    expect(isMet(policy, note, 1_692_806_000, 1_692_806_070)).toBe(false)
  })
})

describe('the vectors of plays and numbers', () => {
  const plays = vector<
    Record<
      'open' | 'secret_of_order' | 'play_secret' | 'play_id' | 'username' | 'owner_tag' | 'root' | 'sections',
      string
    > & { leaves: { data: string; hash: string }[] }
  >('plays.json')
  const numbers = vector<
    Record<'seed' | 'seedhash' | 'open' | 'close' | 'signature' | 'randomness' | 'key' | 'block0', string> & {
      round: number
      numbers: number[]
      winners: number[]
      each: string[]
      samples: { key: string; pick: number; pool: number; numbers: number[] }[]
    }
  >('numbers.json')
  const rules = readRules(vector<Record<string, { text: string }>>('statements.json')['rules']?.text ?? '')
  const openHash = bytesOf(plays.open)
  const key = drawKey({
    seed: bytesOf(numbers.seed),
    openHash,
    closeHash: bytesOf(numbers.close),
    round: numbers.round,
    randomness: randomnessOf(bytesOf(numbers.signature)),
  })

  it('the secrets, ids and tags match the vectors', () => {
    const secret = playSecret(bytesOf(plays.secret_of_order), openHash)
    expect(hex(secret)).toBe(plays.play_secret)
    expect(hex(playId(secret))).toBe(plays.play_id)
    expect(hex(ownerTag(secret, openHash, plays.username))).toBe(plays.owner_tag)
  })

  it('the leaves, root, revoked list, sections and winners match the vectors', () => {
    const leaves = writeEntries(plays.leaves.map(({ data }) => bytesOf(data)))
    const section = readSection({ section: 0, leaves }, plays.leaves.length, [], nobleHash)
    if (section === null) throw new Error('no section')
    expect(plays.leaves.map((_, place) => hex(leafHash(nobleHash, leafOf(section, place))))).toEqual(
      plays.leaves.map(({ hash }) => hash),
    )
    expect(hex(section.root)).toBe(plays.root)
    const read = readPlays([section], openHash, rules, 3400)
    expect(revokedSummary(read.revocations)).toEqual({
      count: 1,
      list: 'edcdf96b65ec8eaa1ffb99083367d2319c5b184d8a27b55498052ec657a63d5e',
    })
    const tally = countSection(section, read, rules.price.value)
    const drawn = halvesOf(maskOf(numbers.numbers))
    const winners = countWinners({ section, plays: read, tier: rules.tier, drawn })
    const record = { section: 0, root: section.root, leaves: section.count, ...tally, winners }
    expect(hex(writeSections([record]))).toBe(plays.sections)
    expect(winners).toEqual(numbers.winners)
  })

  it('the seed, key, stream and numbers match the vectors', () => {
    expect(hex(seedHash(bytesOf(numbers.seed)))).toBe(numbers.seedhash)
    expect(hex(randomnessOf(bytesOf(numbers.signature)))).toBe(numbers.randomness)
    expect(hex(key)).toBe(numbers.key)
    expect(hex(streamBlock(key, 0))).toBe(numbers.block0)
    expect(drawNumbers(key, rules)).toEqual(numbers.numbers)
    for (const sample of numbers.samples) expect(drawNumbers(bytesOf(sample.key), sample)).toEqual(sample.numbers)
  })

  it('the prizes match the vectors', () => {
    const close = { rate: 3400, pool: 23_833n, floor: 68_000_000n, cover: 6_800_000n, short: 0n }
    const { each, left } = prizesOf(rules, numbers.winners, close)
    expect(each.map(String)).toEqual(numbers.each)
    expect(left).toBe(6833n)
  })
})

describe('the vectors of papers and solvency', () => {
  const given = vector<{
    promise_note: string
    secret: string
    blind_lines: string
    lines_text: string
    receipts: { note: string; path: string[] }[]
  }>('papers.json')
  const secret = bytesOf(given.secret)
  const logSeed = Uint8Array.from({ length: 32 }, (_, place) => place)
  const promise = readStatementOf('promise', given.promise_note.split('\n\n')[0] + '\n')
  const lines = given.lines_text.split('\n').map((play) => play.split(';').map((line) => line.split(',').map(Number)))
  const order = {
    secret,
    payto: '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
    plays: promise.play.map(({ open, free }, place) => ({ open, free, price: 100, lines: lines[place] ?? [] })),
  }

  it('the commitments match the vectors', () => {
    expect(hex(linesBlind(secret))).toBe(given.blind_lines)
    expect(linesCommitment(linesBlind(secret), given.lines_text)).toBe(promise.lines)
    expect(secretCommitment(secret)).toBe(promise.secret)
  })

  it('the promise matches the vectors, signed by the operator’s key', () => {
    const { log, time, order: id, pay, rate, confirmations, expires } = promise
    const made = promiseOf(order, { log, time, order: id, pay, rate, confirmations, expires })
    // The vector does not contain the payout address; everything else is recomputed.
    expect(paytoCommitment(secret, order.payto)).toMatch(/^[0-9a-f]{64}$/)
    expect(signPaper({ ...made, payto: promise.payto }, logSeed)).toBe(given.promise_note)
  })

  it('the player’s browser accepts the receipts of the vectors', () => {
    const { publicKey } = readVerifierKey(vector<{ log_vkey: string }>('checkpoint.json').log_vkey, LOG_KEY_TYPE)
    const log = { origin: 'lottery.example/fairball', publicKey }
    const trees = { 0: { size: 2, root: '991f81656fbbe2c922cba5642b01928d8178dd264cd0611342731566c2034426' } }
    const [first] = given.receipts
    const context = { promise, username: 'player-k3x9qd', tree: trees[0], path: first?.path ?? [] }
    expect(checkReceipt(first?.note ?? '', order, log, context)).toMatchObject({ index: 0, reason: 'none' })
    expect(checkReceipt(first?.note ?? '', order, log, { ...context, username: 'player-other' })).toMatch(/other lines/)
    expect(checkReceipt(first?.note ?? '', order, log, { ...context, path: [] })).toMatch(/not in the batch/)
  })

  it('a payment leaf has 101 bytes, the last 16 of which only the payee can compute', () => {
    const payment = { index: 3, sats: 17_000n, rail: 'lightning', reference: secret, output: 0 } as const
    const leaf = writePaymentLeaf({ openHash: secret, ...payment }, secret)
    expect(hex(leaf.slice(32, 49))).toBe(`${'3'.padStart(16, '0')}${(17_000).toString(16).padStart(16, '0')}01`)
    expect(hex(leaf.slice(85))).toBe(hex(mac(secret, utf8Bytes('fairball/paid/v2\0')).slice(0, 16)))
    expect(leaf).toHaveLength(101)
  })

  it('the sum tree matches the vectors', () => {
    const { leaves, root, owed } = vector<{
      leaves: { nonce: string; username: string; sats: number; hash: string }[]
      root: string
      owed: string
    }>('solvency.json')
    const nodes = leaves.map((leaf) => sumLeaf({ ...leaf, nonce: bytesOf(leaf.nonce), sats: BigInt(leaf.sats) }))
    expect(nodes.map(({ hash }) => hex(hash))).toEqual(leaves.map(({ hash }) => hash))
    expect(hex(sumRoot(nodes).hash)).toBe(root)
    expect(sumRoot(nodes).sats).toBe(BigInt(owed))
    for (const [index, node] of nodes.entries()) {
      expect(isInSum(node, sumPath(nodes, index), sumRoot(nodes))).toBe(true)
      expect(isInSum({ ...node, sats: node.sats + 1n }, sumPath(nodes, index), sumRoot(nodes))).toBe(false)
    }
  })
})

describe('base64', () => {
  it('base64 is read back as written, and rejected in any other form', () => {
    for (const bytes of [[], [0], [255, 1], [1, 2, 3]].map((item) => Uint8Array.from(item))) {
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    }
    for (const text of ['AB', 'AB=', 'AB==', 'A===', 'AA=A', 'AÄ==', 'AB==AB=='])
      expect(() => fromBase64(text)).toThrow()
  })
})
