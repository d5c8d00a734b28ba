/// The programs as LangChain4j has them.
@NullMarked
package dev.superstep.example.migration.langchain4j.before;

import org.jspecify.annotations.NullMarked;
