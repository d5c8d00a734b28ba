package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ServerSetting;
import dev.superstep.cli.serve.ServeRun;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep serve`.
@Command(
    name = "serve",
    header = "Serves programs, agents and graphs as text over HTTP.",
    description = {
      "Clients of LangGraph work with it unchanged; the studio shows its threads in a browser.",
      "This runs the folders' code with your permissions: serve only code that you trust."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep serve examples/refunds",
      "  superstep serve agents desk.rag --port 8123 --model openai://gpt-5.2",
      "  superstep serve agents --host 0.0.0.0 --keys keys.txt --store postgresql://db/agents",
      "",
      "Settings come from options, then SUPERSTEP_SERVER_PORT and so on, then [server] in the",
      "user's configuration; `superstep config explain` shows them. Keys can be given in",
      "SUPERSTEP_SERVER_API_KEYS as well, those that encrypt in SUPERSTEP_ENCRYPTION_KEYS."
    })
final class ServeCommand extends HostCommand {
  @Parameters(
      paramLabel = "FOLDER",
      arity = "1..*",
      description = "Folders with programs, folders of such folders, or .rag files.")
  private List<String> folders = List.of();

  @Option(names = "--host", paramLabel = "ADDRESS", description = "By default 127.0.0.1.")
  private @Nullable String address;

  @Option(names = "--port", paramLabel = "PORT", description = "By default 2024; 0 for any.")
  private @Nullable String port;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "sqlite:PATH or postgresql://USER:PASSWORD@HOST/NAME; by default",
        "the file of `superstep run`."
      })
  private @Nullable String store;

  @Option(
      names = "--encryption-keys",
      paramLabel = "FILE",
      description = {
        "Encrypts what is stored. Lines ID KEY, 32 bytes in base64; the",
        "first writes, and all of them read."
      })
  private @Nullable String encryptionKeys;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Lines NAME KEY or NAME sha256:DIGEST, and `read` or `write`.")
  private @Nullable String keys;

  @Option(
      names = "--jwt-issuer",
      paramLabel = "URL",
      description = "Takes tokens of this OpenID Connect issuer.")
  private @Nullable String issuer;

  @Option(
      names = "--jwt-audience",
      paramLabel = "NAME",
      description = "The audience that tokens must be made for.")
  private @Nullable String audience;

  @Option(
      names = "--origins",
      paramLabel = "ORIGIN,...",
      description =
          "Pages in browsers that may use it, such as https://chat.example.com; * for all.")
  private @Nullable String origins;

  @Option(
      names = "--hosts",
      paramLabel = "NAME,...",
      description = "Names under which it is asked, beside localhost.")
  private @Nullable String hosts;

  @Option(
      names = "--open",
      description = "Let everybody use it beyond this machine, without keys or tokens.")
  private boolean open;

  @Option(names = "--edit", description = "Let the studio change .rag files.")
  private boolean edit;

  @Option(
      names = "--isolate",
      description = "Show each key, or subject of tokens, its own threads and items only.")
  private boolean isolate;

  @Option(names = "--a2a", description = "Serve the graphs as agents of the A2A protocol, too.")
  private boolean a2a;

  @Option(
      names = "--a2a-push",
      description = "Send push notifications to the webhooks that clients of A2A name.")
  private boolean a2aPush;

  @Option(
      names = "--a2a-url",
      paramLabel = "URL",
      description = "The address of this server in cards of A2A, such as that of a proxy.")
  private @Nullable String a2aUrl;

  @Option(
      names = "--a2a-key",
      paramLabel = "FILE",
      description = {
        "Sign cards of A2A with this private key (PEM), under the name of the",
        "file; needs --a2a-url."
      })
  private @Nullable String a2aKey;

  @Option(names = "--agui", description = "Serve the graphs to user interfaces by AG-UI, too.")
  private boolean agui;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description = "Append who did what, in lines of JSON.")
  private @Nullable String auditLog;

  @Option(
      names = "--request-log",
      paramLabel = "FILE",
      description = "Append each request, in lines of JSON.")
  private @Nullable String requestLog;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model of all programs, instead of those that they name.")
  private @Nullable String model;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  ServeCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var settings = new EnumMap<ServerSetting, String>(ServerSetting.class);
    put(settings, ServerSetting.HOST, address);
    put(settings, ServerSetting.PORT, port);
    put(settings, ServerSetting.STORE, store);
    put(settings, ServerSetting.ENCRYPTION_KEYS, encryptionKeys);
    put(settings, ServerSetting.KEYS, keys);
    put(settings, ServerSetting.JWT_ISSUER, issuer);
    put(settings, ServerSetting.JWT_AUDIENCE, audience);
    put(settings, ServerSetting.ORIGINS, origins);
    put(settings, ServerSetting.HOSTS, hosts);
    put(settings, ServerSetting.OPEN, open ? "true" : null);
    put(settings, ServerSetting.EDIT, edit ? "true" : null);
    put(settings, ServerSetting.ISOLATE, isolate ? "true" : null);
    put(settings, ServerSetting.A2A, a2a ? "true" : null);
    put(settings, ServerSetting.A2A_PUSH, a2aPush ? "true" : null);
    put(settings, ServerSetting.A2A_URL, a2aUrl);
    put(settings, ServerSetting.A2A_KEY, a2aKey);
    put(settings, ServerSetting.AGUI, agui ? "true" : null);
    put(settings, ServerSetting.AUDIT_LOG, auditLog);
    put(settings, ServerSetting.REQUEST_LOG, requestLog);
    return ServeRun.run(
        host, new ServeRun.Request(folders, Optional.ofNullable(model), settings, debug));
  }

  private static void put(
      Map<ServerSetting, String> settings, ServerSetting setting, @Nullable String value) {
    if (value != null) settings.put(setting, value);
  }
}
