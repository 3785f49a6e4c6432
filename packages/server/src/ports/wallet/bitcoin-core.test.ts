import { HDKey } from '@scure/bip32'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import { type BitcoinNode, NodeError, NodeUnreachable } from '../bitcoin-node/rpc.ts'
import { createCoreWallet } from './bitcoin-core.ts'
import { REGTEST } from './test-chain.ts'
import {
  FeeTooHigh,
  type PaymentVersion,
  type PrepareRequest,
  type WalletOutput,
  WalletRefused,
  WalletShort,
  WalletUnfit,
} from './wallet.ts'

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(3))
const keyAt = (index: number) => root.deriveChild(index)
const paymentAt = (index: number) => p2wpkh(keyAt(index).publicKey ?? new Uint8Array(33), REGTEST)
const addressAt = (index: number): string => paymentAt(index).address ?? ''

/** The wallet's own addresses: the coin it spends is at the first, its change goes to the second. */
const COIN_INDEX = 0
const CHANGE = addressAt(1)
const FOREIGN = addressAt(99)
const COIN_SATS = 10_000_000n
const COIN = `${'ab'.repeat(32)}:0`
const OTHER_COIN = `${'cd'.repeat(32)}:1`

/** A signed transaction of the scripted wallet: its coins and outputs. */
interface Scripted {
  readonly coins: readonly string[]
  readonly outputs: readonly WalletOutput[]
}

function signed({ coins, outputs }: Scripted): Transaction {
  const tx = new Transaction({ lowR: true })
  for (const coin of coins) {
    const [txid = '', vout = ''] = coin.split(':')
    tx.addInput({
      txid: Buffer.from(txid, 'hex'),
      index: Number(vout),
      witnessUtxo: { script: paymentAt(COIN_INDEX).script, amount: COIN_SATS },
    })
  }
  for (const { address, sats } of outputs) tx.addOutputAddress(address, sats, REGTEST)
  tx.sign(keyAt(COIN_INDEX).privateKey ?? new Uint8Array(32))
  tx.finalize()
  return tx
}

const decodedOf = ({ coins, outputs }: Scripted) => ({
  tx: {
    vin: coins.map((coin) => ({ txid: coin.split(':')[0], vout: Number(coin.split(':')[1]) })),
    vout: outputs.map(({ address, sats }) => ({ value: Number(sats) / 1e8, scriptPubKey: { address } })),
  },
  inputs: coins.map(() => ({ witness_utxo: { amount: Number(COIN_SATS) / 1e8 } })),
})

type Answer = (params: Readonly<Record<string, unknown>>) => unknown
type Script = Readonly<Record<string, Answer>>

const nodeError =
  (code: number, message = 'as scripted'): Answer =>
  () => {
    throw new NodeError(code, message, 'scripted')
  }
const silence: Answer = () => {
  throw new NodeUnreachable('no answer within 10000 ms')
}

/** A node with the test's answers, and otherwise those of a node that has funded and signed `made`. */
function scripted(script: Script = {}, made: Scripted = HONEST, signedAs: Scripted = made) {
  const asked: { method: string; params: Readonly<Record<string, unknown>> }[] = []
  const usual: Script = {
    getblockchaininfo: () => ({ chain: 'regtest', initialblockdownload: false }),
    getwalletinfo: () => ({ private_keys_enabled: true }),
    estimatesmartfee: () => ({}),
    getmempoolinfo: () => ({ mempoolminfee: 0.000_01 }),
    listlockunspent: () => [],
    lockunspent: () => true,
    listunspent: () => [],
    walletcreatefundedpsbt: () => ({ psbt: 'funded' }),
    decodepsbt: () => decodedOf(made),
    getaddressinfo: ({ address }) => ({ ismine: address === CHANGE }),
    walletprocesspsbt: () => ({ psbt: 'signed', complete: true }),
    finalizepsbt: () => ({ complete: true, hex: signed(signedAs).hex }),
    getblockheader: () => ({ previousblockhash: '00' }),
  }
  const node: BitcoinNode = {
    // The script's word for the caller's request.
    async call<T>(method: string, params: object = {}): Promise<T> {
      asked.push({ method, params: params as Readonly<Record<string, unknown>> })
      const answer = script[method] ?? usual[method]
      if (answer === undefined) throw new Error(`nobody said what ${method} answers`)
      return answer(params as Readonly<Record<string, unknown>>) as T
    },
    callEach: (method) => Promise.reject(new Error(`nobody said what ${method} answers`)),
  }
  const wallet = createCoreWallet({ node, wallet: 'hot', network: 'regtest' })
  const callsOf = (method: string) => asked.filter((call) => call.method === method).map((call) => call.params)
  /** The coins that were released. */
  const released = () =>
    callsOf('lockunspent').flatMap(({ unlock, transactions }) => (unlock === true ? [transactions] : []))
  return { wallet, callsOf, released }
}

const PAYEE: WalletOutput = { address: addressAt(10), sats: 6_000_000n }
const FEE_SATS = 1_000n
const REQUEST: PrepareRequest = { label: 'payout batch 1', outputs: [PAYEE], reserved: [] }
const withChange = (address: string, feeSats = FEE_SATS): WalletOutput[] => [
  PAYEE,
  { address, sats: COIN_SATS - PAYEE.sats - feeSats },
]
const HONEST: Scripted = { coins: [COIN], outputs: withChange(CHANGE) }
const COIN_PARAMS = [{ txid: 'ab'.repeat(32), vout: 0 }]

function versionOf(made: Scripted): PaymentVersion {
  const tx = signed(made)
  return { txid: tx.id, raw: tx.hex, feeSats: FEE_SATS, inputs: [...made.coins] }
}
const VERSION = versionOf(HONEST)
const EARLIER = versionOf({ coins: [COIN], outputs: withChange(CHANGE, FEE_SATS - 300n) })

describe('the node’s answers to sent bytes', () => {
  const cases: readonly [code: number, message: string, rival: string | null, outcome: string][] = [
    [-27, 'Transaction outputs already in utxo set', null, 'already-known'],
    [-28, 'Loading block index…', null, 'unreachable'],
    [-26, 'non-final', null, 'not-final'],
    [-26, 'non-BIP68-final', null, 'not-final'],
    [-26, 'bad-txns-premature-spend-of-coinbase', null, 'not-final'],
    [-26, 'txn-already-in-mempool', null, 'already-known'],
    [-26, 'txn-already-known', null, 'already-known'],
    [-26, 'txn-same-nonwitness-data-in-mempool', null, 'already-known'],
    [-26, 'min relay fee not met, 100 < 141', null, 'too-cheap'],
    [-26, 'mempool min fee not met, 100 < 700', null, 'too-cheap'],
    [-26, 'mempool full', null, 'too-cheap'],
    [-26, 'insufficient fee, rejecting replacement; new feerate 1 <= old feerate 2', EARLIER.txid, 'conflict-of-ours'],
    [-26, 'insufficient fee, rejecting replacement; new feerate 1 <= old feerate 2', 'ee', 'foreign-conflict'],
    [-26, 'txn-mempool-conflict', EARLIER.txid, 'conflict-of-ours'],
    [-26, 'txn-mempool-conflict', 'ee', 'foreign-conflict'],
    [
      -26,
      'replacement-failed, insufficient feerate: does not improve feerate diagram',
      EARLIER.txid,
      'conflict-of-ours',
    ],
    [-26, 'replacement-adds-unconfirmed', 'ee', 'foreign-conflict'],
  ]
  it.each(cases)('the answer %i %s (in its place: %s) is %s', async (code, message, rival, outcome) => {
    const spending = [rival === null ? {} : { spendingtxid: rival }]
    const { wallet } = scripted({
      sendrawtransaction: nodeError(code, message),
      gettxspendingprevout: () => spending,
    })
    expect(await wallet.broadcast(VERSION, [EARLIER])).toBe(outcome)
  })

  it.each([
    [-26, 'dust'],
    [-26, 'tx-size'],
    [-26, 'too-long-mempool-chain'],
    [-26, 'mandatory-script-verify-flag-failed (Signature must be zero)'],
    [-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)'],
    [-22, 'TX decode failed'],
  ])('the answer %i %s is for a person', async (code, message) => {
    const { wallet } = scripted({ sendrawtransaction: nodeError(code, message) })
    await expect(wallet.broadcast(VERSION, [])).rejects.toThrow(WalletRefused)
  })

  it.each([
    [-1, 'internal error'],
    [-7, 'Out of memory'],
    [-20, 'Database error'],
    [-32_603, 'Internal error'],
    [-31, 'Error: Peer-to-peer functionality missing or disabled'],
  ])(
    'the answer %i %s is a failure of the node itself: the same bytes are sent later, and nothing is halted',
    async (code, message) => {
      const { wallet } = scripted({ sendrawtransaction: nodeError(code, message) })
      await expect(wallet.broadcast(VERSION, [])).rejects.toThrow(NodeError)
    },
  )

  it('no answer at all leaves open whether the bytes were sent', async () => {
    expect(await scripted({ sendrawtransaction: silence }).wallet.broadcast(VERSION, [])).toBe('unreachable')
    const missing = nodeError(-25, 'bad-txns-inputs-missingorspent')
    const later = scripted({ sendrawtransaction: missing, gettransaction: silence })
    expect(await later.wallet.broadcast(VERSION, [])).toBe('unreachable')
    const cheap = scripted({ sendrawtransaction: nodeError(-26, 'mempool full'), gettxspendingprevout: silence })
    expect(await cheap.wallet.broadcast(VERSION, [])).toBe('unreachable')
  })

  it('bytes are sent with the stored fee as the most they may pay', async () => {
    const { wallet, callsOf } = scripted({ sendrawtransaction: () => VERSION.txid })
    expect(await wallet.broadcast(VERSION, [])).toBe('sent')
    const { vsize } = signed(HONEST)
    const [{ maxfeerate, hexstring } = {}] = callsOf('sendrawtransaction')
    expect(hexstring).toBe(VERSION.raw)
    const satsPerVbyte = Number(maxfeerate) * 1e5
    expect(satsPerVbyte).toBeGreaterThan(Number(FEE_SATS) / vsize)
    expect(satsPerVbyte).toBeLessThan(Number(FEE_SATS) / vsize + 1.1)
  })
})

describe('−25: a coin is missing or spent', () => {
  const missing = nodeError(-25, 'bad-txns-inputs-missingorspent')
  const unknown = nodeError(-5, 'Invalid or non-wallet transaction id')
  /** The wallet's knowledge: confirmations by transaction. */
  const knowing =
    (depths: Readonly<Record<string, number>>): Answer =>
    (params) => {
      const depth = depths[String(params['txid'])]
      if (depth === undefined) return unknown(params)
      const spends = { vin: [{ txid: 'ab'.repeat(32), vout: 0 }] }
      return { confirmations: depth, blockhash: '11', decoded: spends }
    }
  const COIN_TX = { ['ab'.repeat(32)]: 50 }

  it.each([
    ['that it is mined itself', { [VERSION.txid]: 2 }, null, 'already-known'],
    ['that another version is mined', { [EARLIER.txid]: 1 }, null, 'conflict-of-ours'],
    ['that a stranger’s spend is mined', { ...COIN_TX, ee: 1 }, 'ee', 'foreign-conflict'],
    ['that the wallet never heard of the coin', {}, null, 'not-final'],
  ] as const)('the answer −25 may mean %s', async (_title, depths, spender, outcome) => {
    const { wallet } = scripted({
      sendrawtransaction: missing,
      gettransaction: knowing(depths),
      gettxout: () => null,
      getmempoolentry: unknown,
      listsinceblock: () => ({
        transactions: spender === null ? [] : [{ txid: spender, category: 'send', confirmations: 1 }],
        lastblock: '22',
      }),
    })
    expect(await wallet.broadcast(VERSION, [EARLIER])).toBe(outcome)
  })

  it('the answer −25 may mean that the chain lost an unspent coin', async () => {
    const { wallet } = scripted({
      sendrawtransaction: missing,
      gettransaction: unknown,
      gettxout: () => ({ value: 0.1 }),
    })
    expect(await wallet.broadcast(VERSION, [])).toBe('not-final')
  })
})

describe('a transaction of the wallet', () => {
  it('a transaction is returned as requested', async () => {
    const { wallet, released } = scripted()
    expect(await wallet.prepare(REQUEST)).toEqual({
      txid: VERSION.txid,
      raw: VERSION.raw,
      feeSats: FEE_SATS,
      inputs: [COIN],
      change: { address: CHANGE, sats: COIN_SATS - PAYEE.sats - FEE_SATS },
    })
    expect(released()).toEqual([])
  })

  const outputsOf = (...outputs: WalletOutput[]): Scripted => ({ coins: [COIN], outputs })
  const rest = COIN_SATS - PAYEE.sats - FEE_SATS
  const CHEAP: PrepareRequest = { ...REQUEST, outputs: [{ ...PAYEE, sats: 3_999_999n }] }
  const refusals: readonly [title: string, made: Scripted, request: PrepareRequest, message: string][] = [
    ['sends the change to somebody else', outputsOf(...withChange(FOREIGN)), REQUEST, 'not the wallet’s'],
    [
      'has a second output that nobody asked for',
      outputsOf(PAYEE, { address: CHANGE, sats: 1_000_000n }, { address: FOREIGN, sats: rest - 1_000_000n }),
      REQUEST,
      'nobody asked for',
    ],
    ['leaves the payee out', outputsOf({ address: CHANGE, sats: COIN_SATS - FEE_SATS }), REQUEST, 'missing'],
    [
      'pays the payee another amount',
      outputsOf({ ...PAYEE, sats: PAYEE.sats - 1n }, { address: CHANGE, sats: rest }),
      REQUEST,
      'none that was asked for',
    ],
    ['pays more than 6,000,000 sats of fee', outputsOf({ ...PAYEE, sats: 3_999_999n }), CHEAP, '6000000'],
    ['pays more than 300 sats a virtual byte', outputsOf(...withChange(CHANGE, 49_000n)), REQUEST, '300 each'],
    ['spends the coin of another payment', HONEST, { ...REQUEST, reserved: [COIN] }, 'belongs to another payment'],
    [
      'is asked to pay one address twice',
      outputsOf({ ...PAYEE, sats: 1_000_000n }, { ...PAYEE, sats: 5_000_000n }, { address: CHANGE, sats: rest }),
      { ...REQUEST, outputs: [1_000_000n, 5_000_000n].map((sats) => ({ ...PAYEE, sats })) },
      'two outputs are for',
    ],
  ]
  it.each(refusals)(
    'a transaction is refused if it %s, and its coins are free again',
    async (_title, made, request, message) => {
      const { wallet, released } = scripted({}, made)
      const failure = await wallet.prepare(request).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(WalletRefused)
      expect(String(failure).replace("'", '’')).toContain(message)
      // A coin of another payment stays held.
      expect(released()).toEqual(request.reserved.length > 0 ? [] : [COIN_PARAMS])
    },
  )

  /** 400 payees of 200 sats each, at the scripted fee: far below any cap on rates. */
  function smallPrizes(feeSats: bigint): { made: Scripted; request: PrepareRequest } {
    const outputs = Array.from({ length: 400 }, (_, place) => ({ address: addressAt(1_000 + place), sats: 300n }))
    const change = { address: CHANGE, sats: COIN_SATS - 120_000n - feeSats }
    return { made: { coins: [COIN], outputs: [...outputs, change] }, request: { ...REQUEST, outputs } }
  }

  it('a transaction that costs more than half of what is paid waits for lower fees, and its coins are free again', async () => {
    const { made, request } = smallPrizes(60_001n)
    const { wallet, released } = scripted({}, made)
    const failure = await wallet.prepare(request).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FeeTooHigh)
    expect(failure).toMatchObject({ feeSats: 60_001n, message: expect.stringContaining('120000 sats paid') })
    expect(released()).toEqual([COIN_PARAMS])
    const half = smallPrizes(60_000n)
    expect(await scripted({}, half.made).wallet.prepare(half.request)).toMatchObject({ feeSats: 60_000n })
  })

  it('a transaction is refused if signing adds another coin than was funded', async () => {
    const { wallet } = scripted({}, HONEST, { ...HONEST, coins: [OTHER_COIN] })
    await expect(wallet.prepare(REQUEST)).rejects.toThrow(WalletRefused)
  })

  it.each([
    [-8, 'Invalid parameter, duplicated address: bcrt1…'],
    [-5, 'Invalid Bitcoin address'],
  ])(
    'a transaction with outputs that the node does not accept (%i) is never made: a person looks',
    async (code, message) => {
      const { wallet } = scripted({ walletcreatefundedpsbt: nodeError(code, message) })
      await expect(wallet.prepare(REQUEST)).rejects.toThrow(WalletRefused)
    },
  )

  it.each([
    [-6, 'Insufficient funds'],
    [-4, 'Insufficient funds'],
    [-4, 'The inputs size exceeds the maximum weight. Please try sending a smaller amount'],
  ])('a transaction waits for funds at %i %s', async (code, message) => {
    const { wallet } = scripted({ walletcreatefundedpsbt: nodeError(code, message) })
    await expect(wallet.prepare(REQUEST)).rejects.toThrow(WalletShort)
  })

  it.each([
    ['a wallet that is rescanning', nodeError(-4, 'Wallet is currently rescanning. Abort existing rescan or wait.')],
    ['no answer', silence],
  ])('a transaction is retried after %s', async (_title, answer) => {
    const failure = await scripted({ walletcreatefundedpsbt: answer })
      .wallet.prepare(REQUEST)
      .catch((error: unknown) => error)
    expect([WalletRefused, WalletShort].some((kind) => failure instanceof kind)).toBe(false)
  })
})

describe('the chosen coins', () => {
  const short = nodeError(-4, 'The preselected coins total amount does not cover the transaction target.')
  const young = [
    { txid: 'aa'.repeat(32), vout: 0, amount: 0.03 },
    { txid: 'bb'.repeat(32), vout: 0, amount: 0.02 },
    { txid: 'cc'.repeat(32), vout: 0, amount: 0.9 },
    { txid: 'dd'.repeat(32), vout: 0, amount: 0.01 },
  ]
  /** Only what the wallet itself spent has a fee. */
  const made: Script = {
    listunspent: () => young,
    gettransaction: ({ txid }) =>
      txid === 'cc'.repeat(32) ? { confirmations: 3 } : { confirmations: 1, fee: -0.000_01 },
  }
  const inputsOf = (calls: readonly Readonly<Record<string, unknown>>[]) =>
    calls.map(({ inputs }) => (inputs as { txid: string }[]).map(({ txid }) => txid.slice(0, 2)))

  it('the chosen coins are six blocks deep', async () => {
    const { wallet, callsOf } = scripted(made)
    await wallet.prepare(REQUEST)
    expect(callsOf('walletcreatefundedpsbt')).toMatchObject([{ inputs: [], options: { minconf: 6 } }])
    expect(callsOf('listunspent')).toEqual([])
  })

  it('the chosen coins include as much of the wallet’s own change as needed, and no recent coins from strangers', async () => {
    let tries = 0
    const { wallet, callsOf } = scripted({
      ...made,
      walletcreatefundedpsbt: (params) => ((tries += 1) < 3 ? short(params) : { psbt: 'funded' }),
    })
    await wallet.prepare({ ...REQUEST, reserved: [`${'dd'.repeat(32)}:0`] })
    expect(inputsOf(callsOf('walletcreatefundedpsbt'))).toEqual([[], ['aa'], ['aa', 'bb']])
  })

  it('the chosen coins may be too few, and the reason names the recent coins from strangers', async () => {
    const { wallet } = scripted({ ...made, walletcreatefundedpsbt: short })
    await expect(wallet.prepare(REQUEST)).rejects.toThrow('90000000 sats that others sent are not six blocks deep')
  })

  it('the chosen coins for a higher fee include no recent coins from strangers either', async () => {
    const { wallet, callsOf } = scripted(
      {
        getmempoolentry: nodeError(-5, 'Transaction not in mempool'),
        gettransaction: () => ({ confirmations: 0 }),
        psbtbumpfee: () => ({ psbt: 'bumped' }),
        decodepsbt: ({ psbt }) =>
          decodedOf({ coins: psbt === 'bumped' ? [COIN, OTHER_COIN] : [COIN], outputs: withChange(CHANGE, 3_000n) }),
      },
      { coins: [COIN], outputs: withChange(CHANGE, 3_000n) },
    )
    expect(await wallet.bump({ ...REQUEST, versions: [VERSION] })).toMatchObject({ inputs: [COIN] })
    expect(inputsOf(callsOf('walletcreatefundedpsbt'))).toEqual([['ab']])
  })

  it.each([
    [-6, true],
    [-5, false],
    [0, false],
    [7, false],
  ])('coins are lost for good if their transaction has %i confirmations: %s', async (confirmations, isLost) => {
    const { wallet } = scripted({ gettransaction: () => ({ confirmations }) })
    expect(await wallet.isLost(COIN)).toBe(isLost)
  })
})

describe('an address', () => {
  it('the wallet’s own address is told apart from others, and payments may not go to it', async () => {
    const { wallet } = scripted()
    expect(await wallet.ownAmong([CHANGE, FOREIGN])).toEqual([CHANGE])
    await wallet.assertNotOurs(FOREIGN)
    await expect(wallet.assertNotOurs(CHANGE)).rejects.toThrow(WalletUnfit)
    await expect(wallet.assertNotOurs(CHANGE)).rejects.toThrow('BITCOIN_HOT_WALLET')
  })
})

describe('a version with a higher fee', () => {
  const unknown = nodeError(-5, 'Transaction not in mempool')
  const DEARER: Scripted = { coins: [COIN], outputs: withChange(CHANGE, 3_000n) }
  /** A node whose mempool has transactions since a height. */
  const waitingSince = (heights: Readonly<Record<string, number>>, blocks: number): Script => ({
    getmempoolentry: (params) => {
      const height = heights[String(params['txid'])]
      return height === undefined ? unknown(params) : { height }
    },
    getblockcount: () => blocks,
    gettransaction: () => ({ confirmations: 0 }),
    psbtbumpfee: () => ({ psbt: 'bumped' }),
  })
  const request = { ...REQUEST, versions: [EARLIER, VERSION] }

  it.each([
    ['the newest version came with the last block', { [VERSION.txid]: 700 }, 700],
    ['an earlier one took its place since the last block', { [EARLIER.txid]: 700 }, 700],
    ['the chain has become shorter since', { [VERSION.txid]: 701 }, 700],
  ])('no version is made while no block has passed over the waiting one: %s', async (_title, heights, blocks) => {
    const { wallet, callsOf } = scripted(waitingSince(heights, blocks), DEARER)
    expect(await wallet.bump(request)).toBe(null)
    expect([...callsOf('psbtbumpfee'), ...callsOf('walletcreatefundedpsbt')]).toEqual([])
  })

  it.each([
    ['a block has passed over the one that waits', { [VERSION.txid]: 700 }, 701],
    ['none waits: the network found them too cheap', {}, 700],
  ])('a version is made if %s', async (_title, heights, blocks) => {
    const { wallet } = scripted(waitingSince(heights, blocks), DEARER)
    expect(await wallet.bump(request)).toMatchObject({ feeSats: 3_000n, inputs: [COIN] })
  })

  it('no version is made if its fee would exceed the caps, and the coins stay with the sent one', async () => {
    const outputs = Array.from({ length: 400 }, (_, place) => ({ address: addressAt(1_000 + place), sats: 300n }))
    const change = { address: CHANGE, sats: COIN_SATS - 120_000n - 60_001n }
    const { wallet, released } = scripted(waitingSince({ [VERSION.txid]: 700 }, 701), {
      coins: [COIN],
      outputs: [...outputs, change],
    })
    await expect(wallet.bump({ ...request, outputs })).rejects.toThrow(FeeTooHigh)
    expect(released().flat()).toEqual([])
    const dear = scripted({ ...waitingSince({}, 701), estimatesmartfee: () => ({ feerate: 0.01 }) }, DEARER)
    const atTheCap = { ...VERSION, feeSats: BigInt(signed(HONEST).vsize) * 250n }
    expect(await dear.wallet.bump({ ...REQUEST, versions: [atTheCap] })).toBe(null)
  })
})

describe('a wallet that cannot sign now', () => {
  it.each(['prepare', 'bump', 'cancel'] as const)(
    'a wallet is unfit while it is locked, and nothing is taken: %s',
    async (act) => {
      const { wallet, callsOf } = scripted({ getwalletinfo: () => ({ private_keys_enabled: true, unlocked_until: 0 }) })
      await wallet.assertFit() // the server still starts
      const failure = await wallet[act]({ ...REQUEST, versions: [VERSION] }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(WalletUnfit)
      expect(String(failure)).toContain('walletpassphrase')
      expect(callsOf('walletcreatefundedpsbt')).toEqual([])
    },
  )

  it('a wallet is unfit if its passphrase expires before the signature, and its coins are free again', async () => {
    const { wallet, released } = scripted({
      getwalletinfo: () => ({ private_keys_enabled: true, unlocked_until: 1_800_000_000 }),
      walletprocesspsbt: nodeError(-13, 'Please enter the wallet passphrase with walletpassphrase first.'),
    })
    await expect(wallet.prepare(REQUEST)).rejects.toThrow(WalletUnfit)
    expect(released()).toEqual([COIN_PARAMS])
  })

  it('a wallet is loaded if the node does not have it open, and unfit if it does not exist', async () => {
    let isLoaded = false
    const notFound = nodeError(-18, 'Requested wallet does not exist or is not loaded')
    const { wallet, callsOf } = scripted({
      getwalletinfo: (params) => (isLoaded ? { private_keys_enabled: true } : notFound(params)),
      loadwallet: () => (isLoaded = true),
    })
    await wallet.prepare(REQUEST)
    expect(callsOf('loadwallet')).toEqual([{ filename: 'hot', load_on_startup: true }])

    const none = scripted({ getwalletinfo: notFound, loadwallet: nodeError(-18, 'Path does not exist') })
    await expect(none.wallet.prepare(REQUEST)).rejects.toThrow('createwallet hot')
    await expect(none.wallet.prepare(REQUEST)).rejects.toThrow(WalletUnfit)
  })

  it('a wallet is unfit without keys, on another chain, and while another network’s node still downloads', async () => {
    const watching = scripted({ getwalletinfo: () => ({ private_keys_enabled: false }) })
    await expect(watching.wallet.prepare(REQUEST)).rejects.toThrow(WalletUnfit)
    const elsewhere = scripted({ getblockchaininfo: () => ({ chain: 'main', initialblockdownload: false }) })
    await expect(elsewhere.wallet.prepare(REQUEST)).rejects.toThrow('main')
  })
})

describe('the coins of other payments', () => {
  it('the coins are locked again after a restart of the node forgot them, even if one is spent by now', async () => {
    const spent = nodeError(-8, 'Invalid parameter, expected unspent output')
    const { wallet, callsOf } = scripted({
      lockunspent: (params) => (JSON.stringify(params).includes('cdcd') ? spent(params) : true),
    })
    await wallet.prepare({ ...REQUEST, reserved: [OTHER_COIN, `${'ef'.repeat(32)}:3`] })
    const locks = callsOf('lockunspent').filter(({ unlock }) => unlock === false)
    expect(locks).toEqual([
      { unlock: false, persistent: true, transactions: [{ txid: 'cd'.repeat(32), vout: 1 }] },
      { unlock: false, persistent: true, transactions: [{ txid: 'ef'.repeat(32), vout: 3 }] },
    ])
  })

  it('only these coins stay locked when the database is compared with the wallet', async () => {
    const { wallet, callsOf } = scripted({
      listlockunspent: () => [...COIN_PARAMS, { txid: 'cd'.repeat(32), vout: 1 }],
    })
    await wallet.hold([OTHER_COIN])
    expect(callsOf('lockunspent')).toEqual([{ unlock: true, transactions: COIN_PARAMS }])
  })

  it('the coins are found spent even if a reorganisation put coin and spend into one block', async () => {
    const { wallet, callsOf } = scripted({
      gettxout: () => null,
      gettransaction: () => ({
        confirmations: 3,
        blockhash: 'same',
        decoded: { vin: [{ txid: 'ab'.repeat(32), vout: 0 }] },
      }),
      getblockheader: () => ({ previousblockhash: 'before' }),
      listsinceblock: () => ({
        transactions: [{ txid: 'spender', category: 'send', confirmations: 3 }],
        lastblock: 'x',
      }),
    })
    expect(await wallet.spender(COIN)).toMatchObject({ txid: 'spender', confirmations: 3 })
    expect(callsOf('listsinceblock')[0]).toMatchObject({ blockhash: 'before' })
  })
})
