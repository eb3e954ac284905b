"""Ask the weights that ship with the toolkit about a set of videos.

comphy demo && python examples/ask.py demo:2
"""

import sys

import comphy

QUESTIONS = ("How many objects are heavy?", "Which shape is the heavy object?", "What will happen next?")


def main(videos: str) -> None:
    reasoner = comphy.load_reasoner("pcr")
    for question in QUESTIONS:
        try:
            reply = comphy.ask(reasoner, videos, question)
        except comphy.ComphyError as error:  # such as a question that asks for one of several
            print(f"{question}\n  {error}")
            continue
        print(f"{question}\n  {reply.sentence} ({reply.sure:.0%} sure)")
        for step in reply.steps:
            print(f"    {step.number}. {step.call}: {', '.join(item.words for item in step.items[:3])}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "demo:2")
