package dev.superstep.middleware;

import dev.superstep.middleware.Detector.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The forms of keys and tokens of well-known services, each by what it begins with or stands next
/// to. Immutable.
///
/// Each pattern begins with a text that stands as it is, or has a bounded length, so that it looks
/// at a character a bounded number of times; and each is tried only on a text that has that text.
final class SecretKinds {
  /// A form.
  ///
  /// @param sign a text without which there is none, in lower case
  /// @param group the part of a match that is secret
  record Kind(String name, String sign, Pattern pattern, int group) {}

  private static final String WORD = "(?<![A-Za-z0-9_-])";

  /// The separators between the name of a setting and its value.
  private static final String IS = "[\"']?\\s{0,4}(?:=|:|=>|:=)\\s{0,4}[\"']?";

  private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

  private static final String AWS = "AWS ";

  static final List<Kind> ALL = all();

  private SecretKinds() {}

  private static List<Kind> all() {
    var kinds = new ArrayList<Kind>();
    models(kinds);
    clouds(kinds);
    code(kinds);
    messages(kinds);
    payments(kinds);
    operations(kinds);
    others(kinds);
    return List.copyOf(kinds);
  }

  private static void models(List<Kind> to) {
    // OpenAI, Anthropic, OpenRouter, DeepSeek, Stripe and others begin alike.
    add(to, "sk key", "sk", "sk[-_][A-Za-z0-9_-]{16,}+");
    add(to, "Hugging Face", "hf_", "hf_[A-Za-z0-9]{20,}+");
    add(to, "Hugging Face organization", "api_org_", "api_org_[A-Za-z0-9]{20,}+");
    add(to, "Groq", "gsk_", "gsk_[A-Za-z0-9]{20,}+");
    add(to, "xAI", "xai-", "xai-[A-Za-z0-9]{20,}+");
    add(to, "Perplexity", "pplx-", "pplx-[A-Za-z0-9]{20,}+");
    add(to, "Replicate", "r8_", "r8_[A-Za-z0-9]{20,}+");
    add(to, "Together", "tgp_", "tgp_v1_[A-Za-z0-9_-]{20,}+");
    add(to, "NVIDIA", "nvapi-", "nvapi-[A-Za-z0-9_-]{20,}+");
    add(to, "LangSmith", "lsv2_", "lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}+");
    add(to, "Pinecone", "pcsk_", "pcsk_[A-Za-z0-9_]{20,}+");
    add(to, "Tavily", "tvly-", "tvly-[A-Za-z0-9-]{16,}+");
  }

  private static void clouds(List<Kind> to) {
    add(
        to,
        "AWS id",
        "a",
        "(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16}"
            + "(?![A-Za-z0-9])");
    named(
        to,
        "AWS secret",
        "aws",
        "aws_?(?:secret_?)?(?:access_?)?key",
        "[A-Za-z0-9/+=]{40}(?![A-Za-z0-9/+=])");
    named(to, "AWS session", "session_token", "aws_session_token", "[A-Za-z0-9/+=]{64,}+");
    add(to, "AWS Bedrock", "absk", "ABSK[A-Za-z0-9+/]{60,}+={0,2}");
    add(to, "Google API", "aiza", "AIza[A-Za-z0-9_-]{30,}+");
    add(to, "Google OAuth", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,}+");
    add(to, "Google client", "gocspx-", "GOCSPX-[A-Za-z0-9_-]{20,}+");
    add(to, "Google refresh", "1//0", "1//0[A-Za-z0-9_-]{30,}+");
    add(to, "Azure client", "q~", "[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}");
    named(to, "Azure storage", "accountkey", "AccountKey", "[A-Za-z0-9+/]{80,}+={0,2}");
    named(to, "Azure bus", "sharedaccesskey", "SharedAccessKey", "[A-Za-z0-9+/]{40,}+={0,2}");
    add(to, "Azure signature", "sig=", "(?<=[?&])sig=[A-Za-z0-9%]{43,}+");
    named(to, "Azure OpenAI", "api-key", "api-key", "[A-Za-z0-9]{32,}+");
    add(to, "Alibaba", "ltai", "LTAI[A-Za-z0-9]{16,}+");
    add(to, "DigitalOcean", "_v1_", "do[opr]_v1_[a-f0-9]{64}");
    add(to, "Databricks", "dapi", "dapi[a-f0-9]{32}(?:-[0-9])?");
    add(to, "Fly", "fm", "fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}+");
    add(to, "Heroku", "hrku-", "HRKU-[A-Za-z0-9_-]{20,}+");
    named(to, "Heroku old", "heroku", "heroku[a-z_-]{0,20}", UUID);
    add(to, "PlanetScale", "pscale_", "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{30,}+");
    add(to, "Supabase", "sbp_", "sbp_[a-f0-9]{40}");
    named(to, "Cloudflare", "cloudflare", "cloudflare[a-z_-]{0,20}", "[A-Za-z0-9_-]{37,}+");
    add(to, "Cloudflare origin", "v1.0-", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,}+");
    add(to, "Yandex", "aqvn", "AQVN[A-Za-z0-9_-]{35,}+");
  }

  private static void code(List<Kind> to) {
    add(to, "GitHub", "gh", "gh[oprsu]_[A-Za-z0-9]{20,}+");
    add(to, "GitHub fine", "github_pat_", "github_pat_[A-Za-z0-9_]{20,}+");
    add(
        to,
        "GitLab",
        "gl",
        "gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{16,}+");
    add(to, "GitLab runner", "gr1348941", "GR1348941[A-Za-z0-9_-]{20,}+");
    add(to, "npm", "npm_", "npm_[A-Za-z0-9]{30,}+");
    add(to, "PyPI", "pypi-", "pypi-AgE[A-Za-z0-9_-]{20,}+");
    add(to, "RubyGems", "rubygems_", "rubygems_[a-f0-9]{40,}+");
    add(to, "NuGet", "oy2", "oy2[a-z0-9]{43}");
    add(to, "Clojars", "clojars_", "CLOJARS_[A-Za-z0-9]{50,}+");
    add(to, "Docker", "dckr_", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}+");
    add(to, "Artifactory", "akcp", "AKCp[A-Za-z0-9]{50,}+");
    add(to, "Artifactory reference", "cmvmdgtu", "cmVmdGtu[A-Za-z0-9]{40,}+");
    add(to, "Atlassian", "atatt3", "ATATT3[A-Za-z0-9_=-]{60,}+");
    add(to, "Bitbucket", "atbb", "ATBB[A-Za-z0-9]{28,}+");
    add(to, "Linear", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{30,}+");
    add(to, "Sourcegraph", "sgp_", "sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}");
    add(to, "Postman", "pmak-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}");
    add(to, "Pulumi", "pul-", "pul-[a-f0-9]{40}");
    add(to, "Terraform", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{50,}+");
    add(to, "Prefect", "pn", "pn[ub]_[A-Za-z0-9]{36}");
    add(to, "CircleCI", "ccipat_", "CCIPAT_[A-Za-z0-9]{16,}+_[A-Za-z0-9]{30,}+");
    add(to, "Octopus", "api-", "API-[A-Z0-9]{26,}+");
    add(to, "OpenShift", "sha256~", "sha256~[A-Za-z0-9_-]{40,}+");
  }

  private static void messages(List<Kind> to) {
    add(to, "Slack", "xox", "xox[abceoprs](?:\\.[abceoprs])?-[A-Za-z0-9-]{10,}+");
    add(to, "Slack app", "xapp-", "xapp-[0-9]-[A-Za-z0-9-]{20,}+");
    add(
        to,
        "Slack hook",
        "hooks.slack.com",
        "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{30,}+");
    add(
        to,
        "Teams hook",
        ".webhook.office.com",
        "[A-Za-z0-9-]{1,60}\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/_-]{60,}+");
    add(to, "Discord", ".", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}+");
    add(
        to,
        "Discord hook",
        "/api/webhooks/",
        "discord(?:app)?\\.com/api/webhooks/[0-9]{15,20}/[A-Za-z0-9_-]{60,}+");
    add(to, "Telegram", ":aa", "[0-9]{5,16}:AA[A-Za-z0-9_-]{32,}+");
    add(to, "Twilio", "sk", "SK[0-9a-fA-F]{32}(?![A-Za-z0-9])");
    named(to, "Twilio secret", "twilio", "twilio[a-z_-]{0,20}", "[0-9a-f]{32}");
    add(to, "SendGrid", "sg.", "SG\\.[A-Za-z0-9_=-]{16,}+\\.[A-Za-z0-9_=-]{30,}+");
    add(to, "Mailgun", "key-", "key-[0-9a-f]{32}");
    add(to, "Mailgun new", "-", "[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9])");
    add(to, "Mailchimp", "-us", "[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])");
    add(to, "Brevo", "xkeysib-", "xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}");
    add(to, "Notion", "ntn_", "ntn_[A-Za-z0-9]{30,}+");
    add(to, "Notion old", "secret_", "secret_[A-Za-z0-9]{43}");
    add(to, "Typeform", "tfp_", "tfp_[A-Za-z0-9_.=-]{40,}+");
    add(to, "Facebook", "eaa", "EAA[A-Za-z]{1,2}[A-Za-z0-9]{60,}+");
    named(to, "Twitter", "twitter", "twitter[a-z_-]{0,30}", "[A-Za-z0-9%-]{35,}+");
    named(to, "LinkedIn", "linkedin", "linkedin[a-z_-]{0,20}", "[A-Za-z0-9]{14,}+");
  }

  private static void payments(List<Kind> to) {
    add(to, "Stripe restricted", "rk_", "rk_[A-Za-z0-9_-]{16,}+");
    add(to, "Stripe hook", "whsec_", "whsec_[A-Za-z0-9+/=]{24,}+");
    add(to, "Square", "sq0", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}+");
    add(to, "Square token", "eaaa", "EAAA[A-Za-z0-9_-]{56,}+");
    add(to, "Shopify", "shp", "shp(?:at|ca|pa|ss|tka|ua)_[A-Fa-f0-9]{32}");
    add(to, "Shippo", "shippo_", "shippo_(?:live|test)_[a-f0-9]{40}");
    add(to, "EasyPost", "ez", "EZ[AT]K[A-Za-z0-9]{54}");
    add(to, "Duffel", "duffel_", "duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}+");
    add(to, "Flutterwave", "flwseck", "FLWSECK(?:_TEST)?-[a-fA-F0-9]{12,}+(?:-X)?");
    add(to, "Plaid", "access-", "access-(?:sandbox|development|production)-" + UUID);
    add(to, "Lob", "_pub_", "(?:live|test)_pub_[a-f0-9]{31}");
    add(
        to,
        "Braintree",
        "access_token$",
        "access_token\\$(?:production|sandbox)\\$[a-z0-9$]{40,}+");
    add(to, "Adyen", "aq", "AQE[A-Za-z0-9+/=_-]{60,}+");
    add(to, "GoCardless", "live_", "live_[A-Za-z0-9_=-]{40,}+");
  }

  private static void operations(List<Kind> to) {
    named(
        to,
        "Datadog",
        "d",
        "(?:datadog|dd)[a-z_-]{0,20}(?:key|token)",
        "(?:[a-f0-9]{40}|[a-f0-9]{32})(?![a-f0-9])");
    add(to, "Datadog token", "ddpat_", "ddpat_[A-Za-z0-9]{20,}+");
    add(to, "Grafana", "gl", "gl(?:sa|c)_[A-Za-z0-9_+/=-]{32,}+");
    add(to, "Grafana old", "eyjrijoi", "eyJrIjoi[A-Za-z0-9]{60,}+={0,2}");
    add(to, "New Relic", "nr", "NR(?:AK|AA|II|JS|RA|SP)-[A-Za-z0-9_-]{16,}+");
    add(to, "Sentry", "sntry", "sntry[suaqrei]_[A-Za-z0-9+/=_-]{30,}+");
    add(to, "Dynatrace", "dt0", "dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}");
    add(to, "Honeycomb", "hc", "hc[abx]ik_[A-Za-z0-9]{50,}+");
    add(to, "PostHog", "ph", "ph[xcs]_[A-Za-z0-9]{30,}+");
    add(to, "Vault", "hv", "hv[bsr]\\.[A-Za-z0-9_-]{20,}+");
    named(to, "Vault old", "vault", "vault[a-z_-]{0,20}", "s\\.[A-Za-z0-9]{24}");
    add(to, "Doppler", "dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{30,}+");
    add(to, "Infisical", "st.", "st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}");
    add(to, "1Password", "ops_ey", "ops_eyJ[A-Za-z0-9+/_-]{100,}+={0,3}");
    add(
        to,
        "1Password secret",
        "a3-",
        "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}"
            + "-[A-Z0-9]{5}");
    add(to, "age", "age-secret-key-", "AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}+");
    add(to, "Tailscale", "tskey-", "tskey-[a-z]{1,12}-[A-Za-z0-9_-]{12,}+");
    add(to, "Scalingo", "tk-us-", "tk-us-[A-Za-z0-9_-]{48}");
    add(to, "LaunchDarkly", "-", "(?:sdk|api|mob)-" + UUID);
    add(to, "Snyk", "snyk_", "snyk_(?:uat|sat)\\.[a-z0-9]{8}\\.[A-Za-z0-9_.-]{40,}+");
    add(to, "Airtable", "pat", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}");
    add(to, "Adafruit", "aio_", "aio_[A-Za-z0-9]{28}");
    add(to, "Dropbox", "sl.", "sl\\.(?:u\\.)?[A-Za-z0-9_=-]{130,}+");
    add(to, "Frame.io", "fio-u-", "fio-u-[A-Za-z0-9_=-]{60,}+");
    add(to, "ReadMe", "rdme_", "rdme_[a-z0-9]{70}");
    add(to, "Infracost", "ico-", "ico-[A-Za-z0-9]{32}");
    add(to, "Contentful", "cfpat-", "CFPAT-[A-Za-z0-9_-]{40,}+");
    add(to, "Figma", "fig", "fig[dour]_[A-Za-z0-9_-]{36,}+");
    add(to, "MaxMind", "_mmk", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk");
  }

  private static void others(List<Kind> to) {
    // The password in `scheme://user:password@host`.
    to.add(
        new Kind(
            "password in an address",
            "://",
            Pattern.compile("://[^\\s/:@\"'<>]{0,100}:([^\\s/@\"'<>]{3,200})@"),
            1));
    named(
        to,
        "setting",
        "",
        "(?:api|auth|access|client|private|secret|encryption)[_-]?(?:key|token|secret)",
        "[A-Za-z0-9_.~+/=-]{20,}+");
  }

  private static void add(List<Kind> to, String name, String sign, String form) {
    to.add(new Kind(name, sign, Pattern.compile(WORD + form), 0));
  }

  /// A form that only the name of the setting tells.
  private static void named(List<Kind> to, String name, String sign, String setting, String form) {
    var pattern = Pattern.compile("(?i)" + setting + IS + "(?-i:(" + form + "))");
    to.add(new Kind(name, sign, pattern, 1));
  }

  /// Where a text has any of them.
  ///
  /// @param isAws whether those of AWS, or all others
  static List<Span> in(String what, boolean isAws, String text) {
    var found = new ArrayList<Span>();
    var lower = text.toLowerCase(Locale.ROOT);
    for (var kind : ALL) {
      if (kind.name().startsWith(AWS) == isAws && lower.contains(kind.sign())) {
        found.addAll(Detector.all(what, kind.pattern(), kind.group(), text));
      }
    }
    return found;
  }
}
