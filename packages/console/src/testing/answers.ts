import { actionText } from '@fairball/contract/console/action-text'
import { canonicalJson } from '@fairball/contract/console/canonical-json'
import type { Json } from '@fairball/contract/console/canonical-json'
import type { Batch, Payout } from '@fairball/contract/console/read'
import type { SignedRequest } from '../shared/calls.ts'
import { toBase64url } from '../shared/passkeys/base64url.ts'
import { sha256 } from '../shared/passkeys/software-authenticator.ts'

/** A payout of 1.8 BTC to an address of yesterday. */
const PAYOUT: Payout = {
  id: '31',
  payee: 'janet_w',
  player: '17',
  player_since: 1_761_321_600,
  address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  address_since: 1_795_809_600,
  is_address_recent: true,
  sats: '180000000',
  draws: [{ game: 'bitcoin-hero', game_name: 'Bitcoin Hero', number: 214 }],
  holds: [],
  other_wins: { count: 2, sats: '1250000' },
}

/** A batch with it. */
export const BATCH: Batch = {
  id: '5',
  state: 'WAITING_APPROVAL',
  created_at: 1_795_874_400,
  sats: '180000000',
  reason: 'more than the approval limit to one address',
  payouts: [PAYOUT],
}

/** Somebody else's request to approve it. */
export const REQUEST: SignedRequest = {
  id: '6f2c1c1e-6d0f-4a52-9a3e-5c1f0d6f7b11',
  kind: 'payouts.approve',
  args: { batch: '5' },
  reason: 'Prize of draw 214, address known since March.',
  state: 'proposed',
  facts: { state: 'WAITING_APPROVAL', payouts: [{ payee: 'janet_w', sats: '180000000' }] },
  is_changed: false,
  proposed_by: { id: '4', name: 'demo-approver' },
  created_at: 1_795_878_000,
  expires_at: 1_795_964_400,
  needs: { signatures: 2, roles: ['treasurer'] },
  signatures: [{ part: 'propose', staff: { id: '4', name: 'demo-approver' }, signed_at: 1_795_878_010 }],
  result: null,
}

/** The text to sign for a request, and the options for the passkey, as the server makes them. */
export async function textToSign(asked: {
  request: string
  part: 'propose' | 'approve'
  kind: string
  args: Json
  facts: Json
  reason: string
}) {
  const hash = async (text: string) => await sha256(new TextEncoder().encode(text))
  const facts = Array.from(await hash(canonicalJson(asked.facts)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const end = { nonce: '8d41f0c2a97b4e5d8d41f0c2a97b4e5d', expires: 1_795_881_900 }
  const text = actionText({ console: location.origin, staff: '3', ...asked, facts, ...end })
  return { text, options: { challenge: toBase64url(await hash(text)), rpId: location.hostname } }
}
