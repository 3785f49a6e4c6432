import { useConfig } from '../config.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { browserParts } from './browser-parts.ts'
import { ProviderMark } from './provider-mark.tsx'
import { SOCIAL_TEXTS } from './messages.ts'
import type { SocialProvider } from './social-answer.ts'
import type { SocialParts } from './social-try.ts'
import { useSocialLogin } from './use-social-login.ts'
import styles from './social-buttons.module.css'

const PROVIDERS = ['google', 'facebook', 'twitter'] as const satisfies readonly SocialProvider[]

/** A button for each configured social network, and above them the failure. `path` is the target of the login. */
export default function SocialButtons({ path, parts = browserParts }: { path: string; parts?: SocialParts }) {
  const { socialLogins } = useConfig()
  const { start, failure, waitingFor, checking } = useSocialLogin(path, parts)
  const offered = PROVIDERS.filter((provider) => socialLogins[provider] !== null)

  return (
    <div className={styles['social']}>
      <p className={styles['or']}>{SOCIAL_TEXTS.or}</p>
      {failure !== null && <Banner kind="danger">{failure}</Banner>}
      <div className={styles['buttons']}>
        {offered.map((provider) => (
          <Button
            key={provider}
            variant="secondary"
            icon={<ProviderMark provider={provider} />}
            busy={checking === provider}
            disabled={checking !== null && checking !== provider}
            onClick={() => start(provider)}
          >
            {SOCIAL_TEXTS[provider].button}
          </Button>
        ))}
      </div>
      <p className={styles['note']} role="status">
        {waitingFor === null ? SOCIAL_TEXTS.adult : SOCIAL_TEXTS[waitingFor].waiting}
      </p>
    </div>
  )
}
