import { isIP } from 'node:net'
import type { Config, ConfigAsRead } from '../config/config.ts'
import type { LotteryDeps } from './lottery.ts'
import { localOutbox } from '../ports/mail/local-outbox.ts'
import type { Mailbox } from '../ports/mail/mailer.ts'
import { smtpMailer } from '../ports/mail/smtp-mailer.ts'
import { fixedRates } from '../ports/rates/fixed-rates.ts'
import { LiveRates } from '../ports/rates/live-rates.ts'
import type { Rates } from '../ports/rates/rates.ts'
import type { LiveSettings, Site } from '../modules/settings/service.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** The lottery's part of the configuration; the program, and commands that check the whole, build the same one. */
export function lotterySettings(
  config: Omit<ConfigAsRead, 'publicUrl'> & Pick<Config, 'publicUrl'>,
  runtime: Runtime,
  live: LiveSettings,
) {
  const { publicUrl } = config
  return {
    publicUrl,
    bitcoin: config,
    rateSource: rateSourceOf(config, runtime),
    isDemo: config.mode === 'demo',
    mailer:
      config.smtpUrl === null
        ? localOutbox()
        : smtpMailer({
            url: config.smtpUrl,
            from: () => live.mailFrom() ?? senderAt(publicUrl),
            monotonic: runtime.monotonic,
          }),
    beacon: { current: config.beacon, relays: config.drandRelays, outsideNow: () => outsideNow(runtime) },
    policy: config.policy,
    logAfter: config.logAfter,
  } satisfies Partial<LotteryDeps>
}

/** What the lottery needs to know of the site. */
export function lotterySite({ name, supportEmail, content }: Site): ReturnType<LotteryDeps['site']> {
  return { name, supportEmail, partners: content.partners }
}

function rateSourceOf({ rates, rateSources }: Pick<Config, 'rates' | 'rateSources'>, runtime: Runtime): Rates {
  if (rates === 'fixed') return fixedRates
  return new LiveRates(runtime, { sources: rateSources, outsideNow: () => outsideNow(runtime) })
}

/** The time outside: the demo's clock may be ahead of it. Epoch seconds. */
function outsideNow({ clock }: Runtime): number {
  return clock.now() - clock.offsetSeconds()
}

function senderAt(publicUrl: string): Mailbox {
  const host = new URL(publicUrl).hostname
  // Without a name for the host, the address is in brackets (RFC 5321, section 4.1.3).
  return { name: 'Fairball', address: `no-reply@${isIP(host) === 4 ? `[${host}]` : host.replace('[', '[IPv6:')}` }
}
