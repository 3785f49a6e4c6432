import styles from './wordmark.module.css'

/** The sign: a ball on an ink tile with a bitcoin-like B. */
function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false" className={styles['logo']}>
      <rect width="32" height="32" rx="9" className={styles['tile']} />
      <circle cx="16" cy="16" r="11.5" fill="#ff9a1f" />
      <circle cx="16" cy="16" r="7.6" fill="#fffdf8" />
      <path
        d="M13.6 12.2h3.1a1.9 1.9 0 0 1 .2 3.8 2.05 2.05 0 0 1-.1 4.1h-3.2zM13.6 16h3.3M14.9 11v1.2M16.9 11v1.2M14.9 20.1v1.2M16.9 20.1v1.2"
        fill="none"
        stroke="#1c1433"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/**
 * The sign and the site's name.
 *
 * @param props.logo the addresses of another sign for both themes; default: the product's
 */
export function Wordmark({ name, logo }: { name: string; logo: { light: string; dark: string } | undefined }) {
  return (
    <span className={styles['wordmark']}>
      {logo ? (
        // A hidden picture that is lazy is not fetched.
        (['light', 'dark'] as const).map((theme) => (
          <img
            key={theme}
            src={logo[theme]}
            alt={name}
            width={32}
            height={32}
            loading="lazy"
            data-scheme={theme}
            className={styles['logo']}
          />
        ))
      ) : (
        <Logo />
      )}
      <span className={styles['name']} aria-hidden={logo && true}>
        {name}
      </span>
    </span>
  )
}
