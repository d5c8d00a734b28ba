package dev.superstep.model.wire;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Citation;
import dev.superstep.message.Content;
import dev.superstep.message.HostedCall;
import dev.superstep.message.HostedFile;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel.DeltaListener;
import dev.superstep.model.ChatModel.ToolCallPiece;
import dev.superstep.model.ChatReply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A reply while it arrives: a protocol adds the parts that it reads, and a listener receives each
/// piece. One thread at a time.
public final class Draft {
  /// The characters that a part counts for its own record.
  private static final int PART = 64;

  private static final int CITATIONS_MAX = 500;
  private static final int QUOTED_MAX = 1_000;

  private final String vendor;
  private final ReplyMeter intake;
  private final AcceptedRequest asked;
  private final DeltaListener listener;
  private final @Nullable FieldText answer;
  private final List<Object> parts = new ArrayList<>();
  private final Set<Citation> citations = new LinkedHashSet<>();
  private final Set<HostedFile> files = new LinkedHashSet<>();
  private final Set<String> searches = new LinkedHashSet<>();
  private final TreeMap<Integer, Call> calls = new TreeMap<>();
  private final Spent spent = new Spent();
  private String id = "";
  private String model = "";
  private String finish = "";
  private int sealed;
  private @Nullable Supplier<JsonNode> openSeal;
  private boolean started;
  private @Nullable ThinkTags tags;
  private @Nullable String open;
  private final StringBuilder openInput = new StringBuilder();

  /// A reply of which nothing has arrived.
  ///
  /// @param vendor the scheme of the model's URL, for seals
  /// @param intake ends the call if there is too much
  /// @param asked the request that is answered
  Draft(String vendor, ReplyMeter intake, AcceptedRequest asked, DeltaListener listener) {
    this.vendor = vendor;
    this.intake = intake;
    this.asked = asked;
    this.listener = listener;
    this.answer = asked.wrapsAnswer() ? new FieldText(this::addText) : null;
  }

  /// Token counts, as far as the vendor reports them. Vendors that report them repeatedly send
  /// sums, so the last report counts.
  static final class Spent {
    long input;
    long cached;
    long written;
    long output;
    long reasoning;
  }

  /// A text that arrives in pieces.
  private static final class Words {
    final boolean thought;
    final StringBuilder text = new StringBuilder();
    Content.@Nullable Seal seal;

    Words(boolean thought) {
      this.thought = thought;
    }
  }

  /// Says that what arrives has the form of a reply.
  void begin() {
    started = true;
  }

  boolean isStarted() {
    return started;
  }

  Spent spent() {
    return spent;
  }

  /// Sets the vendor's id of the reply and its model name, if this part has them.
  void receipt(JsonNode replyId, JsonNode replyModel) {
    id = replyId.asString(id);
    model = replyModel.asString(model);
  }

  /// The vendor's word for why the model stopped, if this part of the reply has it.
  void finish(String word) {
    if (!word.isEmpty()) finish = word;
  }

  String finishWord() {
    return finish;
  }

  /// The next piece of text.
  void text(String piece) {
    if (piece.isEmpty()) return;
    intake.retain(piece.length());
    if (answer == null) addText(piece);
    else answer.add(piece);
  }

  private void addText(String piece) {
    words(false).text.append(piece);
    listener.onText(piece);
  }

  /// The next piece of text that may begin with a thought between tags.
  void taggedText(String piece) {
    if (tags == null) tags = new ThinkTags(this);
    tags.add(piece);
  }

  /// Withholds a piece until its meaning is known.
  void holds(String piece) {
    intake.retain(piece.length());
  }

  /// Adds the next piece of the model's thinking. A sealed thought is complete: the next piece
  /// begins another one.
  void thinking(String piece) {
    if (piece.isEmpty()) return;
    intake.retain(piece.length());
    words(true).text.append(piece);
    listener.onThinking(piece);
  }

  /// Seals the last thought, or one that was not sent.
  void sealThinking(JsonNode data) {
    words(true).seal = seal(data);
  }

  /// Says what seals the thoughts that came without a seal, once the reply is complete: more pieces
  /// of the same thought may follow.
  void sealOpenThinking(Supplier<JsonNode> data) {
    if (openSeal == null) openSeal = data;
  }

  /// Seals every thought that has no seal yet.
  void sealThoughts(JsonNode data) {
    for (; sealed < parts.size(); sealed++) {
      if (!(parts.get(sealed) instanceof Words words) || !words.thought) continue;
      if (words.seal == null) words.seal = seal(data);
    }
  }

  private Words words(boolean thought) {
    if (!parts.isEmpty()
        && parts.getLast() instanceof Words last
        && last.thought == thought
        && last.seal == null) return last;
    var next = new Words(thought);
    add(next);
    return next;
  }

  /// A part that is neither text nor thought.
  void part(Content part) {
    if (part instanceof Content.Image(_, var data)) intake.retain(data.length());
    if (part instanceof Content.File(_, var data, _)) intake.retain(data.length());
    add(part);
  }

  private void add(Object part) {
    intake.retain(PART);
    parts.add(part);
  }

  /// A source of what was said. The first hundreds count.
  void citation(String url, String title, String quoted) {
    if (citations.size() >= CITATIONS_MAX || (url + title).isBlank()) return;
    var cut = quoted.length() > QUOTED_MAX ? quoted.substring(0, QUOTED_MAX) : quoted;
    intake.retain(PART + url.length() + title.length() + cut.length());
    citations.add(new Citation(url, title, cut));
  }

  /// A file that code at the vendor has made. The first hundreds count.
  void file(HostedFile made) {
    if (files.size() >= CITATIONS_MAX || made.id().isEmpty()) return;
    intake.retain((long) PART + made.id().length() + made.name().length());
    files.add(made);
  }

  /// A search of the web that the vendor tells beside the message, perhaps several times.
  void search(String query) {
    if (searches.size() >= CITATIONS_MAX || query.isBlank()) return;
    intake.retain((long) PART + query.length());
    searches.add(query);
  }

  /// A part that only this vendor understands.
  void extension(JsonNode data) {
    add(new Content.Extension(seal(data)));
  }

  /// Begins a part that only this vendor understands, whose input may follow in pieces.
  void openExtension(ObjectNode data) {
    // As text, which takes far less.
    open = retained(data);
    openInput.setLength(0);
  }

  /// The next piece of the input of such a part; false if there is none.
  boolean extend(String piece) {
    if (open == null) return false;
    intake.retain(piece.length());
    openInput.append(piece);
    return true;
  }

  /// Ends such a part, if there is one.
  void closeExtension() {
    var text = open;
    if (text == null) return;
    open = null;
    if (!openInput.isEmpty()) {
      var whole = (ObjectNode) ReplyReader.JSON.readTree(text);
      text = retained(whole.set("input", Turns.object(openInput.toString())));
    }
    add(new Content.Extension(new Content.Seal(vendor, Json.unchecked(text))));
  }

  /// The call at this place, which may be a new one. Places grow; they need not follow each other.
  Call call(int index) {
    var known = calls.get(index);
    if (known != null) return known;
    intake.calls(calls.size() + 1);
    var made = new Call(calls.size());
    calls.put(index, made);
    return made;
  }

  /// The number of tool calls.
  int calls() {
    return calls.size();
  }

  private Content.Seal seal(JsonNode data) {
    return new Content.Seal(vendor, Json.unchecked(retained(data)));
  }

  private String retained(JsonNode data) {
    var text = data.toString();
    intake.retain(text.length());
    return text;
  }

  /// A tool call while it arrives.
  final class Call {
    private final int index;
    private final StringBuilder arguments = new StringBuilder();
    private String callId = "";
    private String tool = "";
    private Content.@Nullable Seal seal;
    private @Nullable FieldText value;

    private Call(int index) {
      this.index = index;
    }

    /// The next piece; what it does not tell is empty.
    void piece(String itsId, String itsTool, String more) {
      intake.retain((long) itsId.length() + itsTool.length() + more.length());
      if (!itsId.isEmpty()) callId = itsId;
      if (!itsTool.isEmpty()) {
        tool = asked.name(itsTool);
        if (asked.wrappedTools().contains(itsTool)) value = new FieldText(this::addArguments);
      }
      var name = itsTool.isEmpty() ? "" : tool;
      if (value == null) {
        arguments.append(more);
        told(itsId, name, more);
      } else {
        told(itsId, name, "");
        value.add(more);
      }
    }

    private void addArguments(String more) {
      arguments.append(more);
      told("", "", more);
    }

    private void told(String itsId, String itsTool, String more) {
      if (itsId.isEmpty() && itsTool.isEmpty() && more.isEmpty()) return;
      listener.onToolCall(new ToolCallPiece(index, itsId, itsTool, more));
    }

    void seal(JsonNode data) {
      seal = Draft.this.seal(data);
    }

    private ToolCall done() {
      if (value != null) value.end();
      return new ToolCall(
          callId.isBlank() ? "call_" + UUID.randomUUID() : callId,
          tool,
          arguments.toString().isBlank() ? "{}" : arguments.toString(),
          Optional.ofNullable(seal));
    }
  }

  /// The complete message.
  AssistantMessage message() {
    if (tags != null) tags.end();
    if (answer != null) answer.end();
    if (openSeal != null) sealThoughts(openSeal.get());
    var content = new ArrayList<Content>(parts.size());
    for (var part : parts) content.add(content(part));
    for (var citation : citations) content.add(citation.part());
    for (var file : files) content.add(file.part());
    var search = new HostedCall(vendor, "web_search", "web_search", false);
    for (var _ : searches) content.add(search.part());
    var done = new ArrayList<ToolCall>(calls.size());
    for (var call : calls.values()) done.add(call.done());
    return new AssistantMessage("", content, done);
  }

  private Content content(Object part) {
    if (part instanceof Content whole) return whole;
    var words = (Words) part;
    var text = words.text.toString();
    return words.thought
        ? new Content.Thinking(text, Optional.ofNullable(words.seal))
        : new Content.Text(text);
  }

  ChatReply.Receipt receipt() {
    return new ChatReply.Receipt(id, model);
  }
}
