package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Crowd;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Workload;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/// W12: two requests one after the other by the JDK's client, with the bodies as they are.
final class ManyAgentsLimit implements Workload {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().executor(Executors.newVirtualThreadPerTaskExecutor()).build();

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    Crowd.measure(what, out, "requests", ManyAgentsLimit::asking);
  }

  private static Callable<String> asking(String url) {
    var uri = URI.create(url + "/chat/completions");
    return () -> {
      var first = JSON.readTree(post(uri, "{\"messages\":[]}"));
      var call = first.path("choices").path(0).path("message").path("tool_calls").path(0);
      var body = "{\"messages\":[{\"tool_call_id\":\"" + call.path("id").stringValue() + "\"}]}";
      var second = JSON.readTree(post(uri, body));
      return second.path("choices").path(0).path("message").path("content").stringValue();
    };
  }

  private static String post(URI uri, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(uri)
            .version(HttpClient.Version.HTTP_1_1)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
