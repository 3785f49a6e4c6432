import { createHash } from 'node:crypto'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { REGTEST, type TestChain } from './test-chain.ts'
import {
  type BroadcastOutcome,
  type PaymentVersion,
  type PreparedTx,
  type PrepareRequest,
  type Wallet,
  WalletRefused,
  WalletShort,
} from './wallet.ts'

/** The test wallet's rate per virtual byte of a transaction, in sats. */
const SATS_PER_VBYTE = 2n
/** A transaction with one wpkh coin and no change, without its outputs, in virtual bytes; rounded down. */
const PAYMENT_VBYTES = 78n

/** The fee of the first draft, only used to measure it. */
const DRAFT_FEE_SATS = 1000n
/** One signature in about 250 is a byte shorter than the others; this many surprises in a row are impossible. */
const MAX_DRAFTS = 50

/**
 * The demo's wallet over the test chain. Its transactions are genuine: signed, with a real id, size and fee. Only the
 * coin that each of them spends is made up. It is derived from the payment's label, exactly as large as outputs and
 * fee, so that preparing the same payment again gives the same transaction.
 */
export function createTestWallet({ chain }: { chain: TestChain }): Wallet {
  return {
    prepare: (request) => prepare(chain, request),
    broadcast: (version) => broadcast(chain, version),

    // Every transaction on the test chain is in its next block, whatever it pays: none can be replaced or cancelled.
    bump: () => Promise.resolve(null),
    cancel: ({ label }) => Promise.reject(new WalletRefused(`the test chain keeps what it was given: ${label}`)),
    confirmations: (txid) => chain.confirmations(txid),
    // Each made-up coin belongs to one payment alone, so no other can take it, and it need not be locked.
    spender: () => Promise.resolve(null),
    isLost: () => Promise.resolve(false),
    ownAmong: () => Promise.resolve([]),
    spend: () => Promise.resolve(null),
    hold: () => Promise.resolve(),
    release: () => Promise.resolve(),

    async outgoing(since) {
      const movements = await chain.outgoingSince(since === null ? 0 : Number(since))
      return { cursor: String(movements.at(-1)?.at ?? since ?? 0), txids: movements.map((movement) => movement.txid) }
    },

    estimateFee: () => Promise.resolve({ rate: SATS_PER_VBYTE * 1000n, bareVbytes: PAYMENT_VBYTES }),

    async balances() {
      return { spendableSats: await chain.balanceSats(), incomingSats: 0n }
    },
  }
}

async function prepare(chain: TestChain, request: PrepareRequest): Promise<PreparedTx> {
  const { privateKey, publicKey } = chain.paying
  if (privateKey === null || publicKey === null) throw new Error('the test wallet has no key to sign with')
  const { script } = p2wpkh(publicKey, REGTEST)
  const coin = createHash('sha256').update(`test coin of ${request.label}`).digest()
  const totalSats = request.outputs.reduce((sum, output) => sum + output.sats, 0n)

  // The coin is as large as outputs and fee, so the fee has to be known before the size is. If a signature is shorter
  // than the one measured, another lock time (a block long past) gives another signature.
  const signed = (feeSats: bigint, lockTime: number): Transaction => {
    const tx = new Transaction({ lowR: true, lockTime })
    tx.addInput({ txid: coin, index: 0, witnessUtxo: { script, amount: totalSats + feeSats } })
    for (const output of request.outputs) tx.addOutputAddress(output.address, output.sats, REGTEST)
    tx.sign(privateKey)
    tx.finalize()
    return tx
  }
  let feeSats = DRAFT_FEE_SATS
  let tx = signed(feeSats, 0)
  for (let draft = 1; feeSats !== feeOf(tx); draft += 1) {
    if (draft > MAX_DRAFTS) throw new Error(`no fee fits the transaction of ${request.label}`)
    feeSats = feeOf(tx)
    tx = signed(feeSats, draft)
  }

  const balanceSats = await chain.balanceSats()
  if (balanceSats < totalSats + feeSats) {
    throw new WalletShort(`the wallet holds ${balanceSats} sats, ${request.label} needs ${totalSats + feeSats}`)
  }
  return { txid: tx.id, raw: tx.hex, feeSats, inputs: [`${coin.toString('hex')}:0`], change: null }
}

async function broadcast(chain: TestChain, { raw }: PaymentVersion): Promise<BroadcastOutcome> {
  const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'), { allowUnknownInputs: true, disableScriptCheck: true })
  const outputs = Array.from({ length: tx.outputsLength }, (_, index) => {
    const address = tx.getOutputAddress(index, REGTEST)
    const sats = tx.getOutput(index).amount
    if (address === undefined || sats === undefined) throw new Error(`output ${index} of ${tx.id} pays no address`)
    return { address, sats }
  })
  const added = await chain.add({
    txid: tx.id,
    outputs,
    feeSats: feeOf(tx),
    minedConfirmations: 0,
    direction: 'out',
  })
  return added ? 'sent' : 'already-known'
}

/** Every transaction of the test wallet pays by its size, exactly. */
function feeOf(tx: Transaction): bigint {
  return BigInt(tx.vsize) * SATS_PER_VBYTE
}
