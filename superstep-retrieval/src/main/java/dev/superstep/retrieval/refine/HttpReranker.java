package dev.superstep.retrieval.refine;

import dev.superstep.retrieval.Match;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A reranker behind the HTTP interface that most services share: `POST /rerank` with a question
/// and passages. Immutable, safe for many threads; the `with` methods return changed copies.
///
/// ```java
/// HttpReranker.cohere(URI.create("https://api.cohere.com/v2/rerank"))
///     .withModel("rerank-v3.5").withKey(System.getenv("COHERE_API_KEY"))
/// HttpReranker.textEmbeddingsInference(URI.create("http://localhost:8080/rerank"))
/// ```
///
/// The key is sent to this address only, never over plain HTTP to another machine, and is part of
/// no message. At most 200 passages are sent; of longer ones, the first 8,000 characters. A request
/// that is refused for now (429, 500 and above) or breaks off is repeated.
public final class HttpReranker implements Reranker {
  private static final int PASSAGES_MAX = 200;
  private static final int RETRIES_MAX = 10;

  private final Settings settings;

  /// The form of requests.
  enum Form {
    COHERE,
    TEXT_EMBEDDINGS_INFERENCE
  }

  /// @param key empty if none is needed
  record Settings(URI url, Form form, String model, String key, Duration timeout, int retries) {
    @Override
    public String toString() {
      return "Settings[" + url + ", " + form + ", " + model + "]";
    }
  }

  private HttpReranker(Settings settings) {
    this.settings = settings;
  }

  /// A service with the interface of Cohere, such as Cohere, Jina, vLLM, LiteLLM or llama.cpp.
  ///
  /// @param url of the whole endpoint, such as `https://api.jina.ai/v1/rerank`
  public static HttpReranker cohere(URI url) {
    return new HttpReranker(
        new Settings(checked(url), Form.COHERE, "", "", Duration.ofSeconds(30), 2));
  }

  /// A server of Text Embeddings Inference, by Hugging Face. It has a single model.
  ///
  /// @param url of the whole endpoint, such as `http://localhost:8080/rerank`
  public static HttpReranker textEmbeddingsInference(URI url) {
    return new HttpReranker(
        new Settings(
            checked(url), Form.TEXT_EMBEDDINGS_INFERENCE, "", "", Duration.ofSeconds(30), 2));
  }

  /// Sets the model that the service is to use.
  public HttpReranker withModel(String model) {
    var now = settings;
    return new HttpReranker(
        new Settings(now.url, now.form, model, now.key, now.timeout, now.retries));
  }

  /// Sets the key, which is sent as a bearer token.
  ///
  /// @throws IllegalArgumentException if the key is blank, or the address is plain HTTP on another
  ///   machine
  public HttpReranker withKey(String key) {
    if (key.isBlank() || key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException("key must be visible ASCII characters, without spaces");
    }
    var now = settings;
    if (now.url.getScheme().equals("http") && !isLoopback(now.url)) {
      throw new IllegalArgumentException(
          "a key is not sent over plain HTTP to `%s`; use https".formatted(now.url.getHost()));
    }
    return new HttpReranker(
        new Settings(now.url, now.form, now.model, key, now.timeout, now.retries));
  }

  /// Sets the time for each attempt; 30 seconds unless set.
  public HttpReranker withTimeout(Duration timeout) {
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("timeout must be positive, was " + timeout);
    }
    var now = settings;
    return new HttpReranker(
        new Settings(now.url, now.form, now.model, now.key, timeout, now.retries));
  }

  /// Sets how often a failed request is repeated; 2 unless set, at most 10.
  public HttpReranker withRetries(int retries) {
    if (retries < 0 || retries > RETRIES_MAX) {
      throw new IllegalArgumentException(
          "retries must be 0 to %d, was %d".formatted(RETRIES_MAX, retries));
    }
    var now = settings;
    return new HttpReranker(
        new Settings(now.url, now.form, now.model, now.key, now.timeout, retries));
  }

  @Override
  public String id() {
    var model = Optional.of(settings.model).filter(name -> !name.isBlank());
    return model.orElse(settings.url.getHost());
  }

  @Override
  public List<Match> rerank(String question, List<Match> matches) throws InterruptedException {
    if (matches.isEmpty()) return List.of();
    var sent = matches.subList(0, Math.min(PASSAGES_MAX, matches.size()));
    var texts = sent.stream().map(match -> match.chunk().text()).toList();
    var relevance = new RerankCall(id(), settings).ask(question, texts);
    return Relevance.order(id(), matches, relevance);
  }

  private static URI checked(URI url) {
    boolean isHttp = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
    if (!isHttp || url.getHost() == null || url.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "url must be https://HOST/PATH or http://HOST/PATH without a user, was "
              + url.getScheme()
              + "://"
              + url.getHost());
    }
    return url;
  }

  private static boolean isLoopback(URI url) {
    try {
      return InetAddress.getByName(url.getHost()).isLoopbackAddress();
    } catch (UnknownHostException _) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "HttpReranker[" + id() + ", " + settings.url + "]";
  }
}
