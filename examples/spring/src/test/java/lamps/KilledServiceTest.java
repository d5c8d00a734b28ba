package lamps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.WireFormats;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The service in processes of its own, on a real PostgreSQL.
@Timeout(150)
class KilledServiceTest {
  private static final int CLIENTS = 20;
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

  private final PostgresDatabase database = PostgresServer.shared().freshDatabase();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Process> started = new ArrayList<>();

  record Received(String id, String name, String data) {}

  /// A process of the service.
  private record Service(Process process, int port) {
    HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/chats/" + path))
          .header("X-User", "ann");
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (var process : started) process.destroyForcibly().waitFor();
    client.shutdownNow();
  }

  private Service start() throws IOException {
    return start("scripted://replies.json");
  }

  private Service start(String model) throws IOException {
    var arguments =
        new Object[] {
          "--server.port=0",
          "--spring.datasource.url=" + database.url(),
          "--superstep.models.default.url=" + model,
          "--superstep.models.default.key=",
          "--superstep.resume.every=1s",
        };
    var process =
        ChildJvm.plain()
            .builder(ShopApplication.class, arguments)
            .redirectErrorStream(true)
            .start();
    started.add(process);
    var log = reader(process.getInputStream());
    var said = new StringBuilder();
    for (var line = log.readLine(); line != null; line = log.readLine()) {
      said.append(line).append('\n');
      var port = PORT.matcher(line);
      if (!port.find()) continue;
      // A full pipe would stop the process.
      Thread.startVirtualThread(() -> log.lines().forEach(_ -> {}));
      return new Service(process, Integer.parseInt(port.group(1)));
    }
    throw new AssertionError("the service did not start: " + said);
  }

  private static BufferedReader reader(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  private BufferedReader stream(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    var response = client.send(request.build(), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return reader(response.body());
  }

  private BufferedReader ask(Service service, String chat, String question)
      throws IOException, InterruptedException {
    return stream(service.request(chat).POST(BodyPublishers.ofString(question)));
  }

  private static @Nullable Received next(BufferedReader lines) throws IOException {
    var fields = new HashMap<String, String>();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty() && fields.containsKey("data")) {
        return new Received(fields.getOrDefault("id", ""), fields.get("event"), fields.get("data"));
      }
      int colon = line.indexOf(':');
      if (colon > 0) fields.put(line.substring(0, colon), line.substring(colon + 1));
    }
    return null;
  }

  private static List<Received> rest(BufferedReader lines) throws IOException {
    var all = new ArrayList<Received>();
    for (var event = next(lines); event != null; event = next(lines)) all.add(event);
    return all;
  }

  private int count(String table) throws SQLException {
    try (var connection = database.connect();
        var rows =
            connection.createStatement().executeQuery("select count(*) from public." + table)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /// Lets nobody write to a table.
  private Connection locked(String table) throws SQLException {
    var connection = database.connect();
    connection.setAutoCommit(false);
    connection.createStatement().execute("lock table " + table + " in exclusive mode");
    return connection;
  }

  @Test
  void a_killed_service_goes_on_with_its_runs_and_questions_and_repeats_no_finished_step()
      throws Exception {
    var first = start();
    var asked = rest(ask(first, "c2", "I want my money back for order 17."));
    assertThat(asked.getLast().data()).contains("WAITING");
    var seen = new ArrayList<Received>();
    try (var lock = locked("shipment")) {
      var lines = ask(first, "c1", "Where is my lamp? It is order 17.");
      // The first tool has its result, and the second one waits in the database.
      while (!isStarted(seen, "ship_again")) seen.add(next(lines));
      first.process().destroyForcibly().waitFor();
      lock.rollback();
    }
    assertThat(List.of(count("lookup"), count("refund"))).containsExactly(1, 0);
    var second = start();
    resumes(second, seen.getLast().id());
    answers(second, asked);
  }

  private void resumes(Service second, String last) throws Exception {
    var again = rest(stream(second.request("c1").header("Last-Event-ID", last)));
    assertThat(again.getFirst().name()).isEqualTo("replay");
    assertThat(again.stream().map(Received::name).toList())
        .containsSubsequence("started", "started", "tool.started", "tool.ended", "text", "ended");
    assertThat(again.getLast().data()).contains("COMPLETED");
    assertThat(again.toString()).contains("Your lamp is on its way again.");
    assertThat(count("lookup")).as("a finished step is not repeated").isEqualTo(1);
    assertThat(count("shipment")).isEqualTo(1);
  }

  private static boolean isStarted(List<Received> seen, String tool) {
    return !seen.isEmpty()
        && seen.getLast().name().equals("tool.started")
        && seen.getLast().data().contains(tool);
  }

  private void answers(Service second, List<Received> asked) throws Exception {
    var question =
        asked.stream().filter(event -> event.name().equals("question")).toList().getFirst();
    var id = question.data().replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
    var answer = "{\"%s\":{\"decisions\":[{\"type\":\"approve\"}]}}".formatted(id);
    var request = second.request("c2/answers").POST(BodyPublishers.ofString(answer));
    var after = rest(stream(request));
    assertThat(after.toString()).contains("You have your money back.");
    assertThat(after.getLast().data()).contains("COMPLETED");
    assertThat(count("refund")).isEqualTo(1);
  }

  @Test
  void clients_of_a_service_that_is_killed_while_it_streams_each_get_their_answer_once()
      throws Exception {
    try (var server = ModelServer.start(WireFormats.OPENAI_COMPATIBLE.format());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CLIENTS; i++) server.answer(new Answer.Stalls("Your lamp"));
      var model = "openai-compatible://" + server.url() + "/v1/lamp-model";
      var first = start(model);
      var lasts = eachClient(threads, i -> readsTheBegin(first, "l" + i));
      first.process().destroyForcibly().waitFor();
      for (int i = 0; i < CLIENTS; i++) server.answer(Answer.text("Your lamp", " is on its way."));
      var second = start(model);
      var answers = eachClient(threads, i -> answer(second, "l" + i, lasts.get(i)));
      assertThat(answers).hasSize(CLIENTS).containsOnly("Your lamp is on its way.");
      assertThat(server.asked()).as("no answer is paid for twice").hasSize(2 * CLIENTS);
    }
  }

  private interface ClientWork<T> {
    T of(int client) throws Exception;
  }

  private static <T> List<T> eachClient(ExecutorService threads, ClientWork<T> work)
      throws Exception {
    var calls = new ArrayList<Callable<T>>();
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      calls.add(() -> work.of(client));
    }
    var results = new ArrayList<T>();
    for (var done : threads.invokeAll(calls)) results.add(done.get());
    return results;
  }

  /// Reads until the first piece of the answer, and returns its id.
  private String readsTheBegin(Service service, String chat) throws Exception {
    var lines = ask(service, chat, "Where is my lamp?");
    var event = next(lines);
    while (event != null && !event.name().equals("text")) event = next(lines);
    assertThat(event).isNotNull();
    assertThat(event.data()).contains("Your lamp");
    return event.id();
  }

  /// Comes back, and returns what is said in the tasks that are kept.
  private String answer(Service service, String chat, String last) throws Exception {
    var again = rest(stream(service.request(chat).header("Last-Event-ID", last)));
    assertThat(again.getFirst().name()).isEqualTo("replay");
    assertThat(again.getLast().data()).contains("COMPLETED");
    var said = new LinkedHashMap<String, String>();
    var answer = new StringBuilder();
    for (var event : again) {
      var data = Codec.mapOf(Json.class).decode(Json.parse(event.data()));
      switch (event.name()) {
        // What was said in tasks that were not kept by then is void.
        case "started", "replay" -> said.clear();
        case "text" ->
            said.merge(data.get("task").text(), data.get("text").as(String.class), String::concat);
        case "retracted" -> said.remove(data.get("task").text());
        case "kept" -> answer.append(said.getOrDefault(data.get("task").text(), ""));
        default -> {}
      }
    }
    return answer.toString();
  }
}
