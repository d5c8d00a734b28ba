package dev.superstep.mcp;

import dev.superstep.mcp.internal.session.ServerSessions;
import dev.superstep.mcp.internal.tool.ToolNames;
import dev.superstep.mcp.internal.transport.HttpTransport;
import dev.superstep.mcp.internal.transport.MessageLimits;
import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.transport.StdioTransport;
import dev.superstep.mcp.internal.transport.TokenSource;
import dev.superstep.mcp.internal.transport.Transport;
import dev.superstep.sandbox.ProcessLimits;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.Tier;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An MCP server with all that it may do here: how it is reached, which of its tools are taken, by
/// which policies. Immutable; each method returns a changed copy.
///
/// ```java
/// var files = McpServer.stdio("files", folder, "npx", "-y",
///         "@modelcontextprotocol/server-filesystem", folder.toString())
///     .policy("read_text_file", ToolPolicy.readOnly());
/// try (var connection = files.connect()) {
///   var agent = Agent.named("reader").model(model).tools(Tools.of(connection.tools())).build();
///   agent.ask("What do the notes say?");
/// }
/// ```
///
/// Nothing that a server says is trusted: it has limits, its hints about its tools count only if
/// they are trusted by [#trustingHints], and a tool that changes after it was approved is asked
/// about again.
public final class McpServer {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,39}");
  private static final Duration LIFE = Duration.ofDays(365);

  private final String name;
  private final Way way;
  private McpLimits limits = McpLimits.standard();
  private Map<String, ToolPolicy> policies = Map.of();
  private boolean isTrusted;
  private @Nullable Set<String> only;
  private ToolPins pins = ToolPins.inMemory();
  private boolean isAsking;
  private boolean isStateless;
  private @Nullable Duration keep;
  private @Nullable McpAnswerer answerer;
  private @Nullable McpSampler sampler;
  private List<Path> roots = List.of();

  /// The way to a server.
  sealed interface Way {}

  record Stdio(Sandbox sandbox, SandboxCommand command) implements Way {}

  record Http(URI address, Map<String, String> headers, McpCredentials credentials)
      implements Way {}

  private McpServer(String name, Way way) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must begin with a letter and have at most 40 letters, digits and `._-`, was `"
              + name
              + "`");
    }
    this.name = name;
    this.way = way;
  }

  private McpServer(McpServer from, Way way) {
    this(from.name, way);
    this.limits = from.limits;
    this.policies = from.policies;
    this.isTrusted = from.isTrusted;
    this.only = from.only;
    this.pins = from.pins;
    this.isAsking = from.isAsking;
    this.isStateless = from.isStateless;
    this.keep = from.keep;
    this.answerer = from.answerer;
    this.sampler = from.sampler;
    this.roots = from.roots;
  }

  private McpServer(McpServer from) {
    this(from, from.way);
  }

  /// A server that is a program. It gets `PATH`, `HOME`, `LANG`, `TERM` and `TMPDIR` and no other
  /// variable of this process, and is killed with all that it started when the connection ends. Its
  /// files and the network are open to it: lock it in with the other form.
  ///
  /// @param name the tools' names begin with it
  /// @param directory that it runs in; absolute
  /// @param words the program and its arguments
  public static McpServer stdio(String name, Path directory, String... words) {
    var command = SandboxCommand.of(Tier.PROCESS, directory, words).passing("PATH", "HOME");
    return stdio(name, Sandbox.processesOnly(), command);
  }

  /// A server that is a program in a sandbox. The time limits of the command do not count.
  ///
  /// @param name the tools' names begin with it
  public static McpServer stdio(String name, Sandbox sandbox, SandboxCommand command) {
    var limits = command.limits();
    boolean isUsual = limits.equals(ProcessLimits.standard());
    var living = command.timeout(LIFE).limits(isUsual ? limits.cpu(LIFE) : limits);
    return new McpServer(name, new Stdio(sandbox, living));
  }

  /// A server elsewhere, by streamable HTTP.
  ///
  /// @param name the tools' names begin with it
  public static McpServer http(String name, URI address) {
    var scheme = String.valueOf(address.getScheme());
    boolean isWeb = scheme.equals("http") || scheme.equals("https");
    if (!isWeb || address.getHost() == null) {
      throw new IllegalArgumentException("address must have http or https, was " + address);
    }
    return new McpServer(name, new Http(address, Map.of(), Optional::empty));
  }

  /// Sets a variable of a server that is a program.
  public McpServer variable(String variable, String value) {
    if (!(way instanceof Stdio(var sandbox, var command))) throw notFor("variable", "a program");
    return new McpServer(this, new Stdio(sandbox, command.variable(variable, value)));
  }

  /// Sends a header with each request to a server elsewhere.
  public McpServer header(String header, String value) {
    if (!(way instanceof Http http)) throw notFor("header", "elsewhere");
    var all = new LinkedHashMap<>(http.headers());
    all.put(header, value);
    return new McpServer(this, new Http(http.address(), Map.copyOf(all), http.credentials()));
  }

  /// Sends a token with each request to a server elsewhere, over TLS or to this machine.
  ///
  /// @param token is asked for each time
  public McpServer bearer(Supplier<String> token) {
    return credentials(() -> Optional.of(token.get()));
  }

  /// Sends tokens that can be renewed to a server elsewhere, over TLS or to this machine.
  public McpServer credentials(McpCredentials tokens) {
    if (!(way instanceof Http http)) throw notFor("credentials", "elsewhere");
    boolean isHere = Set.of("localhost", "127.0.0.1", "[::1]").contains(http.address().getHost());
    if (http.address().getScheme().equals("http") && !isHere) {
      throw new IllegalArgumentException("a token must not be sent in the clear to " + http);
    }
    return new McpServer(this, new Http(http.address(), http.headers(), tokens));
  }

  private IllegalStateException notFor(String setting, String what) {
    return new IllegalStateException(setting + " is for a server that is " + what + ": " + name);
  }

  /// Sets the limits.
  public McpServer limits(McpLimits most) {
    var copy = new McpServer(this);
    copy.limits = most;
    return copy;
  }

  /// Sets the policy of a tool, by the name that the server gives it. Tools without one are
  /// [unclassified][ToolPolicy#UNCLASSIFIED].
  public McpServer policy(String tool, ToolPolicy known) {
    var copy = new McpServer(this);
    var all = new TreeMap<>(policies);
    all.put(tool, known);
    copy.policies = Map.copyOf(all);
    return copy;
  }

  /// Believes what the server says of its tools' effects, where no [#policy] is set.
  public McpServer trustingHints() {
    var copy = new McpServer(this);
    copy.isTrusted = true;
    return copy;
  }

  /// Takes only these tools, by the names that the server gives them.
  public McpServer only(String... tools) {
    var copy = new McpServer(this);
    copy.only = Set.of(tools);
    return copy;
  }

  /// Sets where the tools are kept as they were approved; in memory unless set, so that a change is
  /// noticed only while the program runs.
  public McpServer pins(ToolPins where) {
    var copy = new McpServer(this);
    copy.pins = where;
    return copy;
  }

  /// Lets the server ask people in calls of an agent whose runs are saved: [McpQuestions#ELICITED].
  /// Calls of this server are then made one after the other.
  public McpServer asking() {
    var copy = new McpServer(this);
    copy.isAsking = true;
    return copy;
  }

  /// Calls the tools that offer it as tasks, which outlive connections. A run saves the id of the
  /// task, so that after a crash it follows the same task, and the tool is not called twice. If the
  /// run is cancelled or the time of the call is over, so is the task. A call of such a tool may
  /// take as long as its task is kept, whatever the limit of the agent on calls.
  ///
  /// A server of revision 2026-07-28 decides for each call whether it is a task; an older one says
  /// it of its tools. Tools that run only as tasks are left out without this.
  ///
  /// @param time that a task is kept, from its start on; the server may keep it for less
  public McpServer tasks(Duration time) {
    if (!time.isPositive())
      throw new IllegalArgumentException("time must be positive, was " + time);
    var copy = new McpServer(this);
    copy.keep = time;
    return copy;
  }

  /// The time that tasks are kept; null if tools are not called as tasks.
  @Nullable Duration keep() {
    return keep;
  }

  /// Lets the server ask while it works, in calls where [#asking] does not count.
  public McpServer answering(McpAnswerer how) {
    var copy = new McpServer(this);
    copy.answerer = how;
    return copy;
  }

  /// Lets the server ask a model.
  public McpServer sampling(McpSampler how) {
    var copy = new McpServer(this);
    copy.sampler = how;
    return copy;
  }

  /// Tells the server the directories that it is meant to work in. It locks it in nowhere.
  public McpServer roots(Path... directories) {
    var copy = new McpServer(this);
    copy.roots = List.of(directories);
    return copy;
  }

  /// Connects: starts the program, or greets the server elsewhere.
  ///
  /// @throws McpFailed if it cannot be reached or breaks the protocol
  public McpConnection connect() throws InterruptedException {
    return McpConnection.open(this);
  }

  /// The tools as they were approved, without a connection: for a graph that is only looked at, or
  /// a run that is replayed. Each call of one fails.
  public List<Tool> unconnected() {
    return ServerTools.unconnected(this);
  }

  /// The beginning of the names that models see of the tools of a server, such as `my_files` for
  /// `my-files`.
  public static String toolPrefix(String server) {
    return ToolNames.snake(server);
  }

  /// The name.
  public String name() {
    return name;
  }

  /// The limits.
  public McpLimits limits() {
    return limits;
  }

  /// Sessions with it, none of which is open yet.
  ServerSessions sessions(ServerAnswers answers, ServerSessions.Listener listener) {
    var messages =
        new MessageLimits(
            limits.messageBytes(),
            limits.depth(),
            limits.progress(),
            limits.request(),
            limits.call());
    var settings =
        new ServerSessions.Settings(
            name,
            isStateless,
            limits.start(),
            messages,
            answers::capabilities,
            keep == null ? List.of() : List.of("io.modelcontextprotocol/tasks"));
    return new ServerSessions(settings, () -> transport(messages), answers, listener);
  }

  private Transport transport(MessageLimits messages) throws InterruptedException, RequestFailed {
    return switch (way) {
      case Http(var address, var headers, var tokens) ->
          new HttpTransport(
              name, new HttpTransport.Endpoint(address, headers, new Tokens(tokens)), messages);
      case Stdio(var sandbox, var command) -> {
        try {
          yield new StdioTransport(name, sandbox.start(command), messages);
        } catch (SandboxError e) {
          var why = String.valueOf(e.getMessage());
          throw new RequestFailed(new RequestFailed.NotConnected(why, e));
        }
      }
    };
  }

  /// Credentials as transports know them.
  private record Tokens(McpCredentials of) implements TokenSource {
    @Override
    public Optional<String> token() throws InterruptedException {
      return of.token();
    }

    @Override
    public boolean refresh(String challenge) throws InterruptedException {
      return of.refresh(challenge);
    }
  }

  Way way() {
    return way;
  }

  Optional<ToolPolicy> policyOf(String tool) {
    return Optional.ofNullable(policies.get(tool));
  }

  boolean isTrusted() {
    return isTrusted;
  }

  boolean takes(String tool) {
    return only == null || only.contains(tool);
  }

  ToolPins pins() {
    return pins;
  }

  /// Prefers revision 2026-07-28, which has no sessions: what the server asks is then the result of
  /// a call, and the answer goes to whichever process of the server is there. A server of an older
  /// revision is spoken with as without this.
  public McpServer stateless() {
    var copy = new McpServer(this);
    copy.isStateless = true;
    return copy;
  }

  boolean isStateless() {
    return isStateless;
  }

  boolean isAsking() {
    return isAsking;
  }

  @Nullable McpAnswerer answerer() {
    return answerer;
  }

  @Nullable McpSampler sampler() {
    return sampler;
  }

  List<Path> roots() {
    return roots;
  }

  @Override
  public String toString() {
    return switch (way) {
      case Stdio(_, var command) ->
          "McpServer[" + name + ", " + command.tier() + ": " + command.words().getFirst() + "]";
      case Http http -> "McpServer[" + name + ", " + http.address().getHost() + "]";
    };
  }
}
