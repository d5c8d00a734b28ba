package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// One of each kind is planted: as it stands, in JSON, in a header and in an address.
@Tag("T45")
class SecretKindsTest {
  /// By kind; `{h32}` is 32 hexadecimal digits, `{a}` letters and digits, `{u}` those in upper
  /// case, `{l}` in lower case, `{d}` digits. What precedes `>>` is not secret.
  private static final String PLANTED =
      """
      sk key|sk-proj-{a40}
      Hugging Face|hf_{a34}
      Hugging Face organization|api_org_{a34}
      Groq|gsk_{a52}
      xAI|xai-{a80}
      Perplexity|pplx-{a48}
      Replicate|r8_{a37}
      Together|tgp_v1_{a43}
      NVIDIA|nvapi-{a64}
      LangSmith|lsv2_pt_{h32}_{h10}
      Pinecone|pcsk_{a60}
      Tavily|tvly-dev-{a32}
      AWS id|AKIA{u16}
      AWS secret|aws_secret_access_key = >>{a40}
      AWS session|"aws_session_token": ">>{a100}
      AWS Bedrock|ABSK{a128}
      Google API|AIza{a35}
      Google OAuth|ya29.{a60}
      Google client|GOCSPX-{a28}
      Google refresh|1//0{a60}
      Azure client|abc8Q~{a34}
      Azure storage|AccountKey=>>{a86}==
      Azure bus|SharedAccessKey=>>{a43}=
      Azure signature|https://a.example/b?sv=1&>>sig={a43}%3D
      Azure OpenAI|api-key: >>{a32}
      Alibaba|LTAI{a20}
      DigitalOcean|dop_v1_{h64}
      Databricks|dapi{h32}
      Fly|fm2_{a60}
      Heroku|HRKU-AA{a58}
      Heroku old|HEROKU_API_KEY=>>{h8}-{h4}-{h4}-{h4}-{h12}
      PlanetScale|pscale_tkn_{a43}
      Supabase|sbp_{h40}
      Cloudflare|CLOUDFLARE_API_TOKEN=>>{a40}
      Cloudflare origin|v1.0-{h24}-{h146}
      Yandex|AQVN{a37}
      GitHub|ghp_{a36}
      GitHub fine|github_pat_{a82}
      GitLab|glpat-{a20}
      GitLab runner|GR1348941{a20}
      npm|npm_{a36}
      PyPI|pypi-AgEIcHlwaS5vcmc{a60}
      RubyGems|rubygems_{h48}
      NuGet|oy2{l43}
      Clojars|CLOJARS_{h60}
      Docker|dckr_pat_{a27}
      Artifactory|AKCp{a69}
      Artifactory reference|cmVmdGtu{a56}
      Atlassian|ATATT3{a180}
      Bitbucket|ATBB{a32}
      Linear|lin_api_{a40}
      Sourcegraph|sgp_{h16}_{h40}
      Postman|PMAK-{h24}-{h34}
      Pulumi|pul-{h40}
      Terraform|{a14}.atlasv1.{a64}
      Prefect|pnu_{a36}
      CircleCI|CCIPAT_{a22}_{h40}
      Octopus|API-{u26}
      OpenShift|sha256~{a43}
      Slack|xoxb-{d12}-{d12}-{a24}
      Slack app|xapp-1-{u11}-{d13}-{h64}
      Slack hook|https://>>hooks.slack.com/services/T{u8}/B{u8}/{a24}
      Teams hook|https://>>acme.webhook.office.com/webhookb2/{h36}@{h36}/IncomingWebhook/{h32}
      Discord|MTA{a23}.{a6}.{a38}
      Discord hook|https://>>discord.com/api/webhooks/{d18}/{a68}
      Telegram|{d10}:AA{a33}
      Twilio|SK{h32}
      Twilio secret|TWILIO_AUTH_TOKEN=>>{h32}
      SendGrid|SG.{a22}.{a43}
      Mailgun|key-{h32}
      Mailgun new|{h32}-{h8}-{h8}
      Mailchimp|{h32}-us12
      Brevo|xkeysib-{h64}-{a16}
      Notion|ntn_{a46}
      Notion old|secret_{a43}
      Typeform|tfp_{a59}
      Facebook|EAAC{a100}
      Twitter|twitter_bearer: >>{a50}
      LinkedIn|LINKEDIN_SECRET=>>{a16}
      Stripe restricted|rk_live_{a40}
      Stripe hook|whsec_{a32}
      Square|sq0csp-{a43}
      Square token|EAAA{a60}
      Shopify|shpat_{h32}
      Shippo|shippo_live_{h40}
      EasyPost|EZAK{a54}
      Duffel|duffel_live_{a43}
      Flutterwave|FLWSECK_TEST-{h32}-X
      Plaid|access-production-{h8}-{h4}-{h4}-{h4}-{h12}
      Lob|live_pub_{h31}
      Braintree|access_token$production${l16}${h32}
      Adyen|AQE{a100}
      GoCardless|live_{a40}
      Datadog|DD_API_KEY=>>{h32}
      Datadog token|ddpat_{a40}
      Grafana|glsa_{a32}_{h8}
      Grafana old|eyJrIjoi{a80}
      New Relic|NRAK-{u27}
      Sentry|sntrys_{a80}
      Dynatrace|dt0c01.{u24}.{u64}
      Honeycomb|hcaik_{l58}
      PostHog|phx_{a43}
      Vault|hvs.{a90}
      Vault old|VAULT_TOKEN=>>s.{a24}
      Doppler|dp.pt.{a43}
      Infisical|st.{h24}.{h32}.{h32}
      1Password|ops_eyJ{a250}
      1Password secret|A3-{u6}-{u11}-{u5}-{u5}-{u5}
      age|AGE-SECRET-KEY-1{u58}
      Tailscale|tskey-auth-{a17}-{a32}
      Scalingo|tk-us-{a48}
      LaunchDarkly|sdk-{h8}-{h4}-{h4}-{h4}-{h12}
      Snyk|snyk_uat.{l8}.{a50}
      Airtable|pat{a14}.{h64}
      Adafruit|aio_{a28}
      Dropbox|sl.u.{a140}
      Frame.io|fio-u-{a64}
      ReadMe|rdme_{l70}
      Infracost|ico-{a32}
      Contentful|CFPAT-{a43}
      Figma|figd_{a40}
      MaxMind|{a6}_{a29}_mmk
      password in an address|postgres://ann:>>{a20}
      setting|client_secret=>>{a30}
      """;

  private static final Pattern MACRO = Pattern.compile("\\{([ahuld])(\\d+)}");

  private static Map<String, String> planted() {
    var all = new LinkedHashMap<String, String>();
    PLANTED
        .lines()
        .forEach(line -> {
          int bar = line.indexOf('|');
          all.put(line.substring(0, bar), filled(line.substring(bar + 1)));
        });
    return all;
  }

  /// Not of one character, so that what is left of it is seen.
  private static String filled(String form) {
    return MACRO
        .matcher(form)
        .replaceAll(found -> {
          var digits =
              switch (found.group(1)) {
                case "h" -> "7f3a91c0d2e4b658";
                case "u" -> "Q7W3E9R1T5Y2U8";
                case "l" -> "q7w3e9r1t5y2u8";
                case "d" -> "7391526048";
                default -> "q7W3e9R1t5Y2u8Zk";
              };
          int length = Integer.parseInt(found.group(2));
          return digits.repeat(length / digits.length() + 1).substring(0, length);
        });
  }

  @Test
  void each_kind_is_planted() {
    assertThat(planted().keySet())
        .containsExactlyElementsOf(SecretKinds.ALL.stream().map(SecretKinds.Kind::name).toList());
  }

  static Stream<Arguments> kinds() {
    return planted().entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void each_kind_is_found_by_its_own_pattern_wherever_it_stands(String name, String planted) {
    var kind =
        SecretKinds.ALL.stream().filter(k -> k.name().equals(name)).findFirst().orElseThrow();
    int secret = planted.indexOf(">>");
    var before = secret < 0 ? "" : planted.substring(0, secret);
    var value = secret < 0 ? planted : planted.substring(secret + 2);
    var after = name.equals("password in an address") ? "@db.example" : "";
    for (var around :
        new String[] {"%s", "It is %s.", "{\"a\":\"%s\"}", "X-Key: %s\r\n", "?a=%s&b=1"}) {
      // A full stop may be a part of some.
      var text = around.formatted(before + value + after + (around.endsWith(".") ? " " : ""));
      var found =
          Detector.all(name, kind.pattern(), kind.group(), text).stream()
              .map(span -> text.substring(span.from(), span.to()))
              .toList();
      assertThat(found).as("%s in %s", name, text).contains(value);
      assertThat(Secrets.hide(text)).as("%s in %s", name, text).doesNotContain(value);
    }
  }

  @Test
  void a_private_key_a_token_and_a_bearer_are_hidden_as_well() {
    var pem = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----";
    var jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";
    assertThat(Secrets.hide("a " + pem + " b " + jwt + " Bearer abcdefghijklmnop1234 c"))
        .isEqualTo("a [redacted private key] b [redacted token] Bearer [redacted token] c");
  }

  @Test
  void text_that_is_only_similar_to_a_key_stays() {
    var text =
        """
        The task-sk-x of ticket API-12 took 3 s. See https://ann@example.org/a:b and \
        sha256 of commit 816dbc6; key-value stores, live_view, a patent, Discord.js 14.16.3, \
        hooks.slack.com, npm_config_cache, 12345:AA, the secret_word, an access token, \
        api_key = os.environ["KEY"], maxTokens: 8192, glossary, shipping, doppler.\
        """;
    assertThat(Secrets.hide(text)).isEqualTo(text);
  }
}
