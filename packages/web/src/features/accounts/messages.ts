/**
 * The words of the pages for opening an account, signing in and the links in mails. Sentences of the specification are
 * unchanged.
 */
export const ACCOUNT_TEXTS = {
  email: 'Email',
  emailConfirm: 'Confirm email',
  password: 'Password',
  passwordConfirm: 'Confirm password',

  /** What to do after a refusal, by its code. */
  nextSteps: {
    INVALID_CREDENTIALS: 'Check your email or username and your password.',
    EMAIL_OCCUPIED: 'Log in, or use another address.',
    INVALID_2FA_CODE: 'Enter the newest code of your app. Each works once.',
    INVALID_SECURITY_ANSWER: 'Type the answer as you saved it.',
    INVALID_SECURITY_QUESTION_OR_ANSWER: 'Check which question you chose, and type the answer as you saved it.',
  },

  openTitle: 'Open an account',
  openLead: 'Pick your numbers, pay in bitcoin, and be paid at your own address.',
  openButton: 'Open an Account',
  adult: 'I am 18 or over',
  adultBox: 'the 18 or over box',
  adultRequired: 'You must be 18 or over to play.',
  haveAccount: 'Already have an account?',
  logIn: 'Log In',

  loginTitle: 'Log in',
  emailOrUsername: 'Email or username',
  loginButton: 'LOG IN',
  forgotten: 'Forgotten password?',
  noAccount: (siteName: string) => `New to ${siteName}?`,
  needHelp: 'Trouble logging in?',
  help: 'Help & contact us',
  contactSupport: 'Contact support',

  secureTitle: 'Security verification',
  secureLead: 'One more step to confirm it’s you.',
  secureTimeLeft: (time: string) => `Time left to log in: ${time}`,
  secureExpired: 'The time window of 5 min. to log in has expired!',
  secureTryAgain: 'Try again',
  secureOr: 'or',
  secureHelp: 'Security verification unavailable? Contact our support',
  code: 'Code of your authenticator app',
  recoveryCode: 'Recovery code',
  useRecoveryCode: 'Use a recovery code instead',
  useCode: 'Use the authenticator app instead',
  question: 'Security question',
  questionPlaceholder: 'Choose your question',
  answer: 'Answer',
  secureNeeds: { code: 'a code', question: 'the answer to your security question' },
  submit: 'Submit',

  forgottenTitle: 'Forgotten password',
  forgottenLead: 'We’ll email you a link to choose a new password.',
  forgottenButton: 'Send Reset Link',
  forgottenSuspect: 'Do you suspect that someone else has access to your account?',
  forgottenContact: 'Contact us',
  forgottenSuccess: 'Reset link sent successfully. Please check your email.',

  resetTitle: 'Reset password',
  resetPending: 'The validation of the reset link is pending! Please wait.',
  resetBadLink: 'Incorrect or already used link for password reset',
  resetNewLink: 'Send a new link',
  resetButton: 'Reset Password',
  resetSuccess: 'Password has been reset successfully.',
  resetCode: 'Authenticator code',

  verifyTitle: 'Email verification',
  verifyPending: 'Your email address is being verified. Please wait.',
  verifySuccess: 'Your email address is verified. Prizes can be paid to you now.',
  verifyBadLink: 'Incorrect or already used link for email confirmation',
  verifyNewLink: 'Crypto account details and every game page offer to send a new link.',
  verifyLogIn: 'Log in to get a new link.',
  verifyAlready: 'Your email address is already verified.',
  toPersonalDetails: 'Go to personal details',
  backToTicket: 'Back to your ticket',

  stopTitle: 'Stop the address change',
  stopLead: 'Someone has changed how your prizes are paid.',
  stopText:
    'If it wasn’t you, stop the change here. You’re paid as before, and everyone who is logged in to your account is logged out.',
  stopButton: 'Stop the change',
  stopSuccess: 'The change is stopped. Your prizes are paid as before, and all sessions are logged out.',
  stopNext: 'Someone may know your password. Choose a new one now.',
  stopNewPassword: 'Choose a new password',
  stopBadLink: 'Incorrect or already used link for stopping an address change',
  stopBadLinkText: 'A link works once, within the 24 hours before a new address is used.',

  strengthLabel: 'Password strength:',
  strength: { WEAK: 'Weak', MEDIUM: 'Medium', STRONG: 'Strong' },

  panelTitle: 'Three steps to a draw',
  panelSteps: [
    'Pick your numbers, or let a lucky dip do it.',
    'Pay in bitcoin. No card, no bank.',
    'Watch the draw. Prizes reach your address within an hour.',
  ],
} as const
