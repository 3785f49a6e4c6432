import { ERROR_TEXTS } from '@fairball/domain/errors'

/** The words of logging in through a social network. The failures are the specification's. */
export const SOCIAL_TEXTS = {
  or: 'or',
  google: {
    button: 'Continue with Google',
    waiting: 'Continue in the window of Google.',
    failed: ERROR_TEXTS.google_login_failed,
  },
  facebook: {
    button: 'Continue with Facebook',
    waiting: 'Continue in the window of Facebook.',
    failed: ERROR_TEXTS.facebook_login_failed,
  },
  twitter: {
    button: 'Continue with X',
    waiting: 'Continue in the window of X.',
    failed: ERROR_TEXTS.twitter_login_failed,
  },
  adult: 'By continuing you confirm that you are 18 or over.',
  answerTitle: 'Log in',
  answerDone: 'You can close this window.',
  toHome: 'Go to the home page',
} as const
