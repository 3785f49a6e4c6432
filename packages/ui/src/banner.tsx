import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { AlertIcon, CheckCircleIcon, ClockIcon, InfoIcon } from './icons.tsx'
import styles from './banner.module.css'

/** Props of {@link Banner}. */
interface BannerProps {
  kind: 'info' | 'success' | 'warning' | 'danger'
  /** One sentence with the fact and the remedy. */
  children: ReactNode
  /** One button or link. */
  action?: ReactNode
  /** Announced when it appears. A danger banner always is. */
  live?: boolean
}

/** A notice in a soft tint of its state's colour: an icon, one sentence, one action. */
export function Banner({ kind, children, action, live = false }: BannerProps) {
  return (
    <div
      className={classNames(styles['banner'], styles[kind])}
      role={kind === 'danger' ? 'alert' : live ? 'status' : undefined}
    >
      <span className={styles['icon']}>
        <KindIcon kind={kind} />
      </span>
      <div className={styles['words']}>{children}</div>
      {action !== undefined && <div>{action}</div>}
    </div>
  )
}

function KindIcon({ kind }: { kind: BannerProps['kind'] }) {
  switch (kind) {
    case 'info':
      return <InfoIcon size={20} />
    case 'success':
      return <CheckCircleIcon size={20} />
    case 'warning':
      return <ClockIcon size={20} />
    case 'danger':
      return <AlertIcon size={20} />
  }
}
