package dev.superstep.model.local;

import de.kherud.llama.InferenceParameters;
import de.kherud.llama.LlamaModel;
import de.kherud.llama.ModelParameters;
import dev.superstep.model.ModelException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// The loaded weights, in the child. One thread at a time.
final class LlamaSession {
  private static final Pattern SPACE_RULE = Pattern.compile("(?m)^space ::= .*$");
  private static final Pattern ROOT_END = Pattern.compile("(?m)^(root ::= .*) space$");
  private static final Pattern ROOT_RULE = Pattern.compile("(?m)^root ::= ");
  private static final int TOP_K = 64;
  private static final float TOP_P = 0.95f;

  private final LlamaModel model;
  private final GgufHeader header;
  private final PromptForm form;
  private final ControlTokens control;
  private final int contextTokens;

  private LlamaSession(LlamaModel model, GgufHeader header, PromptForm form, int contextTokens) {
    this.model = model;
    this.header = header;
    this.form = form;
    this.control = new ControlTokens(header.control());
    this.contextTokens = contextTokens;
  }

  static LlamaSession load(Path gguf, int contextTokens, int threads) throws IOException {
    var header = GgufHeader.read(gguf);
    var form = PromptForm.of(header.chatTemplate());
    int trained = header.trainedContext();
    int context = trained > 0 ? Math.min(trained, contextTokens) : contextTokens;
    var parameters =
        new ModelParameters()
            .setModel(gguf.toString())
            .setCtxSize(context)
            .setThreads(threads)
            .setThreadsBatch(threads)
            .setPoll(0) // waiting threads would spin, and take the cores from everybody else
            .setPollBatch(0)
            .setParallel(1)
            .disableContextShift()
            .disableLog();
    return new LlamaSession(new LlamaModel(parameters), header, form, context);
  }

  ChildReply.Ready ready() {
    return new ChildReply.Ready(contextTokens, form.label());
  }

  /// Sends the pieces of one answer, then how it ended.
  void carryOut(ChildRequest order, Consumer<ChildReply> out) {
    var prompt = prompt(order);
    int promptTokens = model.encode(prompt).length + (header.addsBos() ? 1 : 0);
    if (promptTokens >= contextTokens) {
      out.accept(new ChildReply.Failed(order.id(), Kind.CONTEXT_LENGTH, tooLong(promptTokens)));
      return;
    }
    var parameters = parameters(order, prompt);
    if (!order.schema().isEmpty()) parameters.setGrammar(grammar(order.schema()));
    int budget = Math.min(order.maxTokens(), contextTokens - promptTokens);
    out.accept(generate(order.id(), promptTokens, parameters.setNPredict(budget), out));
  }

  private String prompt(ChildRequest order) {
    var turns = new ArrayList<ChildRequest.Turn>();
    for (var turn : order.turns()) {
      turns.add(new ChildRequest.Turn(turn.role(), control.defused(turn.text())));
    }
    return form.render(turns);
  }

  private static InferenceParameters parameters(ChildRequest order, String prompt) {
    var parameters =
        new InferenceParameters(prompt)
            .setCachePrompt(true)
            .setTemperature((float) order.temperature())
            .setRepeatPenalty(1.0f)
            .setMinP(0.0f)
            .setTopK(TOP_K)
            .setTopP(TOP_P);
    return order.seed() < 0 ? parameters : parameters.setSeed(order.seed());
  }

  /// The converter allows line breaks between tokens, and space at the end; a small model that
  /// starts to indent spends its budget there. After a transcript's label comes one space, as in
  /// the examples.
  private String grammar(String schema) {
    var grammar = LlamaModel.jsonSchemaToGrammar(schema);
    grammar = SPACE_RULE.matcher(grammar).replaceFirst("space ::= \" \"?");
    grammar = ROOT_END.matcher(grammar).replaceFirst("$1");
    if (form != PromptForm.TRANSCRIPT) return grammar;
    return ROOT_RULE.matcher(grammar).replaceFirst("root ::= \" \" answer\nanswer ::= ");
  }

  private ChildReply.Done generate(
      long id, int promptTokens, InferenceParameters parameters, Consumer<ChildReply> out) {
    var text = new Pieces(id, form, out);
    int outputTokens = 0;
    boolean ended = false;
    boolean previousEmpty = false;
    for (var pieces = model.generate(parameters).iterator(); pieces.hasNext(); ) {
      var piece = pieces.next().text;
      if (!pieces.hasNext()) ended = previousEmpty; // the last piece is always empty
      previousEmpty = piece.isEmpty();
      if (previousEmpty) continue;
      outputTokens += tokens(piece);
      if (text.add(piece)) {
        pieces.cancel();
        ended = true;
        break;
      }
    }
    text.end();
    return new ChildReply.Done(id, promptTokens, outputTokens, ended);
  }

  /// A piece is one token, or several that only together are whole characters.
  private int tokens(String piece) {
    boolean ascii = piece.chars().allMatch(c -> c < 0x80);
    return ascii ? 1 : Math.max(1, model.encode(piece).length);
  }

  private String tooLong(int promptTokens) {
    return "the prompt has %s tokens and the context %s; shorten the messages or open the model with more contextTokens"
        .formatted(promptTokens, contextTokens);
  }

  /// The text on its way out: without the space after a transcript's label, up to a stop text.
  private static final class Pieces {
    private final long id;
    private final Consumer<ChildReply> out;
    private final StopTextFilter cut;
    private boolean atStart;

    Pieces(long id, PromptForm form, Consumer<ChildReply> out) {
      this.id = id;
      this.out = out;
      this.cut = new StopTextFilter(form.stops());
      this.atStart = form == PromptForm.TRANSCRIPT;
    }

    /// Adds a piece; returns true if a stop text has come.
    boolean add(String piece) {
      send(cut.feed(atStart ? piece.stripLeading() : piece));
      return cut.isStopped();
    }

    void end() {
      send(cut.rest());
    }

    private void send(String text) {
      if (text.isEmpty()) return;
      atStart = false;
      out.accept(new ChildReply.Piece(id, text));
    }
  }
}
