"""English before any network: `reading` splits sentences into words and pieces, `phrases` finds referring expressions,
`agreement` compares the words of a sentence with its program, `evidence` asks what speaks for it, `beyond`
what it leaves out, and `refusal` says why a
sentence was not understood."""
