"""Suggested names and arms for new kingdoms; the same seed gives the same ones."""

from collections.abc import Iterable

from campaign.chronicle.acts.administration import AddKingdom
from campaign.chronicle.fields import NewHouse
from chance import Dice
from heraldry import Arms

# fmt: off
KINGDOM_HEADS = ("Oak", "Fen", "Thistle", "Mole", "Bram", "Hazel", "Barley", "Sedge", "Willow", "Flint", "Clover",
               "Rook", "Elder", "Moss", "Tansy", "Heather", "Reed", "Acorn", "Larch", "Dock")
KINGDOM_TAILS = ("hold", "wick", "down", " End", "stead", "moor", "mere", "bury", "field", " Hollow", "garth", "ford")
HOUSES = ("Bramble", "Sedge", "Tansy", "Acorn", "Burr", "Teasel", "Rennet", "Sorrel", "Yarrow", "Bracken", "Nettle",
          "Vetch", "Mallow", "Campion", "Fennel", "Rowan", "Spindle", "Dogwood", "Hawthorn", "Comfrey", "Whey",
          "Curd", "Rind", "Crumb", "Thimble", "Bodkin", "Candle", "Wainscot", "Larder", "Cobweb", "Tallow",
          "Barleycorn", "Chervil", "Burnet", "Privet", "Sloe", "Damson", "Quince", "Medlar", "Plantain", "Speedwell",
          "Betony", "Tormentil", "Loosestrife", "Cheddar", "Stilton", "Wensley", "Crust", "Skein", "Spool", "Button",
          "Hob")
LANDS = ("Levels", "Diggings", "Oakwold", "Barley Rows", "Commons", "Long Acre", "Orchard", "Meads", "Stubble",
         "Furrows", "Weald", "Glebe")
BORDERS = ("Reedmarch", "Osier Bank", "Bramble Edge", "Acornfall", "Low Tunnel", "Molehill", "Clover Ley", "Burdock",
           "Hedge Gap", "Stone Row", "Puddle Ford", "Nettle Bed", "Crow Stile", "Beetle Bridge", "Thorn Gate",
           "Toadstool Ring", "Dry Ditch", "Wall Foot", "Root Stair", "Heron Reach", "Snail Walk", "Cinder Path",
           "Apple Drop", "Rabbit Mouth")
HERO_FIRST = ("Alys", "Bertram", "Cecily", "Drogo", "Edith", "Fulk", "Gisela", "Hamo", "Isolde", "Joscelin", "Kit",
              "Lettice", "Miles", "Nest", "Odo", "Petronel", "Quentin", "Rohese", "Sibyl", "Tancred", "Ursel", "Wymark")
HERO_LAST = ("Longwhisker", "Quickpaw", "Oatbeard", "Nimbletail", "Greyback", "Thornear", "Mudfoot", "Brighteye",
             "Rindbiter", "Hedgeleap", "Softstep", "Ironpaw", "Crumbfree", "Lanternear", "Saltwhisker", "Halftail")
# fmt: on


def suggest_kingdom(
    seed: str, *, taken: Iterable[str] = (), unlike: Iterable[Arms] = (), livery: str = ""
) -> AddKingdom:
    """A kingdom about to join, without its ruler. Avoids ``taken`` names and arms ``unlike`` others."""
    dice = Dice(f"kingdom {seed}")
    used = {name.casefold() for name in taken}

    def pick(names: Iterable[str]) -> str:
        free = [name for name in names if name.casefold() not in used]
        chosen = dice.choice(free or list(names))
        used.add(chosen.casefold())
        return chosen

    # No two kingdoms with the same first word: they would be mixed up.
    heads = [head for head in KINGDOM_HEADS if not any(name.startswith(head.casefold()) for name in used)]
    name = pick([dice.choice(heads or KINGDOM_HEADS) + tail for tail in KINGDOM_TAILS])
    houses: list[NewHouse] = []
    seen = list(unlike)
    for number in range(4):
        house = pick(HOUSES)
        arms = Arms.from_seed(f"{seed} house {number} {house}", unlike=seen)
        seen.append(arms)
        houses.append(NewHouse(f"House {house}", arms.to_dict()))
    own = Arms.from_seed(f"{seed} {name}", livery=livery, unlike=seen)
    places = {
        "castle": f"{name} Castle",
        "lands": f"The {pick(LANDS)}",
        "border_1": pick(BORDERS),
        "border_2": pick(BORDERS),
    }
    return AddKingdom(name, own.to_dict(), tuple(houses), places)


LIVERIES = ("gules", "azure", "vert", "purpure", "or", "sable", "argent")


def suggest_kingdoms(seed: str, count: int) -> list[AddKingdom]:
    """``count`` suggestions, no two alike in name, land or arms."""
    made: list[AddKingdom] = []
    taken: list[str] = []
    for number in range(count):
        livery = LIVERIES[number] if number < len(LIVERIES) else ""
        new = suggest_kingdom(
            f"{seed}/{number}", taken=taken, unlike=[Arms.from_dict(kingdom.arms) for kingdom in made], livery=livery
        )
        made.append(new)
        taken += [new.name, *new.places.values(), *(house.name.removeprefix("House ") for house in new.houses)]
        taken += [name.removeprefix("The ") for name in new.places.values()]
    return made


def suggest_hero_name(seed: str) -> str:
    """A name for the hero of a house; the same seed gives the same one."""
    dice = Dice(f"hero {seed}")
    return f"{dice.choice(HERO_FIRST)} {dice.choice(HERO_LAST)}"
