"""Make a small dataset without videos and answer its questions with their own programs.

python examples/make_dataset.py out/example
"""

import sys

import comphy


def main(folder: str) -> None:
    dataset = comphy.generate(folder, sets=2, seed=0, render="none")
    print(dataset)
    for one in dataset:
        print(f"set {one.index} ({one.split}):", ", ".join(map(str, one.annotation.target.objects)))
        for question in one.questions:
            print(f"  {question.text}")
            if question.answer is not None:
                found = comphy.execute(comphy.parse(question.program), one.facts)
                print(f"    {question.answer}; the program gives {found}")
            for choice in question.choices:
                found = comphy.execute(comphy.parse((*choice.program, *question.program)), one.facts)
                print(f"    {choice.text}: {choice.correct}; the program gives {found}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "out/example")
