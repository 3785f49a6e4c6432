import { createHmac, timingSafeEqual } from 'node:crypto'
import { emailProblem } from '@fairball/domain/validation'

/** Where the demo's own server stands in for the social networks. */
export const STAND_IN_PATH = '/dev/social'

/** The simulated networks: those of the specification's two buttons. */
export const STOOD_IN_FOR = ['google', 'facebook'] as const
export type StoodInFor = (typeof STOOD_IN_FOR)[number]

/** The application of this site at the stand-in. */
const CLIENT = 'fairball-demo'
/** Lifetime of a token, in seconds. */
const TOKEN_SECONDS = 3600
/** A valid name of a person: it becomes the network's id of the person. */
const NAME = /^[\w .-]{1,50}$/

/** A person as entered on the stand-in's page. */
interface StandInPerson {
  readonly name: string
  /** null for none */
  readonly email: string | null
  readonly isEmailVerified: boolean
}

type Query = Readonly<Record<string, unknown>>

interface StandInOptions {
  readonly tokenKey: Uint8Array
  /** the address for the browser */
  readonly publicUrl: string
  /** the address for this server itself */
  readonly apiOrigin: string
  readonly now: () => number
}

/**
 * Google and Facebook of the demo: pages on which anyone says who they are, and the calls by which the real code checks
 * a token. A token is the signed person: any process of the installation can check it, and none stores it.
 */
export class StandIn {
  readonly #options: StandInOptions

  constructor(options: StandInOptions) {
    this.#options = options
  }

  /** The applications to configure, each at its own addresses. */
  get apps() {
    return {
      google: { clientId: CLIENT, ...this.#addressesOf('google') },
      facebook: { appId: CLIENT, appSecret: CLIENT, ...this.#addressesOf('facebook') },
    }
  }

  #addressesOf(network: StoodInFor): { apiUrl: string; authUrl: string } {
    const { publicUrl, apiOrigin } = this.#options
    const path = `${STAND_IN_PATH}/${network}`
    return { apiUrl: `${apiOrigin}${path}`, authUrl: `${publicUrl}${path}/auth` }
  }

  #redirectUriOf(network: StoodInFor): string {
    return `${this.#options.publicUrl}/social-login/${network}`
  }

  /** Whether a page asked for a login as this site's own pages do. A browser is sent nowhere else. */
  isOurs(network: StoodInFor, { client_id: client, redirect_uri: redirect }: Query): boolean {
    return client === CLIENT && redirect === this.#redirectUriOf(network)
  }

  /** The address that a browser returns to with a token, or with the refusal of a person who did not agree. */
  answerTo(network: StoodInFor, state: string, person: StandInPerson | null): string {
    const answer =
      person === null
        ? { error: 'access_denied' }
        : { access_token: this.#tokenOf(network, person), token_type: 'Bearer' }
    return `${this.#redirectUriOf(network)}#${new URLSearchParams({ ...answer, state }).toString()}`
  }

  #tokenOf(network: StoodInFor, person: StandInPerson): string {
    const text = Buffer.from(
      JSON.stringify({ ...person, network, until: this.#options.now() + TOKEN_SECONDS }),
    ).toString('base64url')
    return `${text}.${this.#seal(text).toString('base64url')}`
  }

  #seal(text: string): Buffer {
    return createHmac('sha256', this.#options.tokenKey).update(text).digest()
  }

  /** The person of a token; null for one that is expired or not of this network. */
  #personOf(network: StoodInFor, token: unknown): StandInPerson | null {
    const [text = '', sealed = ''] = typeof token === 'string' ? token.split('.') : []
    const given = Buffer.from(sealed, 'base64url')
    const right = this.#seal(text)
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null
    const person = JSON.parse(Buffer.from(text, 'base64url').toString()) as StandInPerson & {
      network: string
      until: number
    }
    return person.network === network && person.until > this.#options.now() ? person : null
  }

  /** Answers a network's call as the network does; null for a token that it refuses. */
  answerCall(network: StoodInFor, call: string, query: Query, bearer: string | undefined): object | null {
    const person = this.#personOf(
      network,
      call === 'userinfo' ? bearer : (query['input_token'] ?? query['access_token']),
    )
    if (person === null) return null
    const { name, email, isEmailVerified } = person
    const mail = email === null ? {} : { email }
    switch (`${network}/${call}`) {
      case 'google/tokeninfo':
        return { aud: CLIENT, sub: name }
      case 'google/userinfo':
        return { sub: name, ...mail, email_verified: isEmailVerified }
      case 'facebook/debug_token':
        return { data: { is_valid: true, app_id: CLIENT, user_id: name } }
      case 'facebook/me':
        return { id: name, ...mail }
      default:
        return null
    }
  }
}

/** The person in a form; null if it cannot be one. */
export function personIn(form: Query): StandInPerson | null {
  const [name, email] = [form['name'], form['email']].map((value) => (typeof value === 'string' ? value.trim() : ''))
  if (name === undefined || !NAME.test(name)) return null
  if (email === undefined || email === '') return { name, email: null, isEmailVerified: false }
  return emailProblem(email) === null ? { name, email, isEmailVerified: form['verified'] === 'on' } : null
}
