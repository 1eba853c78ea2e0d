// Where we differ from npm's mjml on purpose: what its HTML has, and what ours has instead.
const outlookAgain = '$1<![endif]--><!--[if mso | IE]>';

export const departures = {
  // What it computed with nothing.
  everywhere: [
    [/padding-bottom:(?:NaN|Infinity)%;/g, ''],
    [/ href="[^"]*undefined"/g, ''],
    [/width:(?:NaN|-?Infinity)%/g, 'width:100%'],
  ],
  // It joins what an author wrote for Outlook to what follows for Outlook and Internet Explorer, so
  // that the latter is for Outlook alone.
  conditional_comments: [[/(<p>also<\/p>)\s*/, outlookAgain]],
};
