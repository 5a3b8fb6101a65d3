/**
 * Tests that hold the documents to the code. A document that lists what the code has is compared
 * with it. They say what the document should be.
 */
package io.hudilite.e2e.docs;
