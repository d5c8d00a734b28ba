package dev.superstep.retrieval.lucene;

import java.util.Iterator;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/// Words that were found already, as Lucene wants them. One thread at a time.
final class WordStream extends TokenStream {
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final List<String> words;
  private Iterator<String> left;

  WordStream(List<String> words) {
    this.words = words;
    this.left = words.iterator();
  }

  @Override
  public void reset() {
    left = words.iterator();
  }

  @Override
  public boolean incrementToken() {
    clearAttributes();
    if (!left.hasNext()) return false;
    term.append(left.next());
    return true;
  }
}
