import { useConfig } from '../../../shared/config.ts'
import { Card } from '@fairball/ui/card.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import styles from './verifier-file.module.css'

/** The version of this site, and the hash that anyone's own build of it has. Nothing during development. */
export function BuildCard() {
  const { build, publicUrl } = useConfig()
  if (build === null) return null
  return (
    <Card id="build" title={FAIRNESS_TEXTS.build} lead={FAIRNESS_TEXTS.buildLead}>
      <div className={styles['file']}>
        <p>{FAIRNESS_TEXTS.buildCheck(build.version)}</p>
        <dl>
          <dt>{FAIRNESS_TEXTS.buildHash(build.version)}</dt>
          <dd>
            <Mono text={build.hash} />
            <CopyButton text={build.hash} label={FAIRNESS_TEXTS.buildHashLabel} />
          </dd>
        </dl>
        <p>{FAIRNESS_TEXTS.buildCompare(publicUrl)}</p>
        <p>
          <Link href="/licences.txt" download>
            {FAIRNESS_TEXTS.buildLicences}
          </Link>
        </p>
      </div>
    </Card>
  )
}
